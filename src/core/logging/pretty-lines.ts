import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';

// Escape sequences in what users or services wrote must not reach the terminal.
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;
/** Those that JSON does not escape. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029]/g;

interface ParsedLine {
  readonly msg: string;
  readonly err?: { readonly type?: unknown; readonly message?: unknown; readonly stack?: unknown };
}

/** Writes lines of JSON as one line each for people: time, level, part, message, fields. A stack trace follows on lines of its own. */
export class PrettyLines implements DestinationStream {
  private readonly render: ReturnType<typeof prettyFactory>;

  constructor(
    private readonly out: DestinationStream,
    colours: boolean,
  ) {
    this.render = prettyFactory({
      colorize: colours,
      colorizeObjects: false,
      singleLine: true,
      translateTime: 'SYS:HH:MM:ss.l',
      messageFormat: '{part}: {msg}',
      ignore: 'part',
      // Otherwise an error would take a line for each of its fields.
      errorLikeObjectKeys: ['-'],
    });
  }

  write(text: string): void {
    const { err, ...line } = JSON.parse(text.replace(UNESCAPED, (found) => `\\\\u${codeOf(found)}`)) as ParsedLine;
    const { stack, ...error } = err ?? {};
    const shown = { ...line, msg: visible(line.msg), ...(err ? { err: error } : {}) };
    this.out.write(this.render(shown) + (typeof stack === 'string' ? indented(stack) : ''));
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
