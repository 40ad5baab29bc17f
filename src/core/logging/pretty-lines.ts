import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';

// Escape sequences in what users or services wrote must not reach the terminal.
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;
interface ParsedLine {
  readonly time: string;
  readonly level: string;
  readonly part: string;
  readonly msg: string;
  readonly err?: unknown;
}

/** Writes lines of JSON as one line each for people: time, level, part, message, fields. A stack trace follows on lines of its own. */
export class PrettyLines implements DestinationStream {
  private readonly render: (line: object) => string;

  constructor(
    private readonly out: DestinationStream,
    colours: boolean,
  ) {
    this.render = prettyFactory({ colorize: colours, translateTime: 'SYS:HH:MM:ss.l' });
  }

  write(text: string): void {
    const { time, level, part, msg, err, ...fields } = JSON.parse(text) as ParsedLine;
    const { stack, ...error } = typeof err === 'object' ? ((err ?? {}) as { stack?: unknown }) : { error: err };
    // Only these reach the renderer, which prints the values of fields such as `name` and `stack` as they are.
    const line = this.render({ time, level: visible(level), msg: visible(`${part}: ${msg}`) }).trimEnd();
    const rest = JSON.stringify({ ...fields, ...(err === undefined ? {} : { err: error }) });
    const shown = rest === '{}' ? '' : ` ${visible(rest)}`;
    this.out.write(`${line}${shown}\n${typeof stack === 'string' ? indented(stack) : ''}`);
  }
}

function visible(text: string): string {
  return text.replace(CONTROL, (found) => (found === '\n' ? '\\n' : `\\u${codeOf(found)}`));
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}

/** The frames of a stack. Its first lines repeat the message. */
function indented(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.map((frame) => `    ${visible(frame.trim())}\n`).join('');
}
