import { createParser, type EventSourceMessage, type EventSourceParser, type ParseError } from 'eventsource-parser';
import { isFields, parsed } from './values.js';

/** What a response consists of: values, the end that the service announces, or something that cannot be read. */
export type Payload = { readonly value: unknown } | 'done' | 'unreadable';

const DONE = '[DONE]';

/**
 * Splits the body of a response into payloads, in whatever pieces it arrives. Reads server-sent events, newline-delimited JSON, and one JSON
 * value, whatever the media type says.
 */
export class PayloadReader {
  private readonly decoder = new TextDecoder();
  private form: EventForm | JsonForm | undefined;
  private start = '';

  read(bytes: Uint8Array): Payload[] {
    return this.add(this.decoder.decode(bytes, { stream: true }));
  }

  /** What follows the last line end. An event that is not complete is left out. */
  end(): Payload[] {
    const rest = this.add(this.decoder.decode());
    return [...rest, ...(this.form?.end() ?? [])];
  }

  private add(text: string): Payload[] {
    if (this.form !== undefined) return this.form.add(text);
    this.start += text;
    const first = /\S/.exec(this.start)?.[0];
    if (first === undefined) return [];
    this.form = first === '{' || first === '[' ? new JsonForm() : new EventForm();
    const begun = this.start;
    this.start = '';
    return this.form.add(begun);
  }
}

/** Server-sent events. */
class EventForm {
  private found: Payload[] = [];
  private readonly parser: EventSourceParser = createParser({
    onEvent: (message) => this.event(message),
    onError: (error) => this.line(error),
  });

  add(text: string): Payload[] {
    this.parser.feed(text);
    const { found } = this;
    if (found.length > 0) this.found = [];
    return found;
  }

  end(): Payload[] {
    return this.add('\n\n').filter((payload) => payload !== 'unreadable');
  }

  private event({ event, data }: EventSourceMessage): void {
    const text = data.trim();
    if (text === '') return;
    if (text === DONE) {
      this.found.push('done');
      return;
    }
    const value = parsed(text);
    if (event === 'error') this.found.push({ value: isFields(value) && hasError(value) ? value : { error: value ?? text } });
    else if (value !== undefined) this.found.push({ value });
    else this.lines(text);
  }

  /** The JSON of an event that breaks within a text, or one JSON value in each line. */
  private lines(text: string): void {
    const whole = parsed(text.replaceAll('\n', ''));
    if (whole !== undefined) {
      this.found.push({ value: whole });
      return;
    }
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    for (const line of lines) {
      const value = lines.length === 1 ? undefined : parsed(line);
      if (line.trim() === DONE) this.found.push('done');
      else this.found.push(value === undefined ? 'unreadable' : { value });
    }
  }

  /** A line that is no field of an event: an error of older versions of llama.cpp, or JSON. */
  private line({ field, value, line }: ParseError): void {
    if (field === 'error') this.found.push({ value: { error: parsed(value ?? '') ?? value } });
    const json = line?.startsWith('{') === true ? parsed(line) : undefined;
    if (json !== undefined) this.found.push({ value: json });
  }
}

function hasError(value: Readonly<Record<string, unknown>>): boolean {
  return value['error'] !== undefined && value['error'] !== null;
}

/** One JSON value, or one in each line. */
class JsonForm {
  private readonly pieces: string[] = [];
  /** Undefined until the first line has ended. */
  private isByLine: boolean | undefined;

  add(text: string): Payload[] {
    this.pieces.push(text);
    if (this.isByLine === false || !text.includes('\n')) return [];
    const lines = this.pieces.splice(0).join('').split('\n');
    const rest = lines.pop() ?? '';
    this.isByLine ??= parsed(lines.find((line) => line.trim() !== '') ?? '') !== undefined;
    if (!this.isByLine) {
      this.pieces.push(lines.join('\n'), '\n', rest);
      return [];
    }
    if (rest !== '') this.pieces.push(rest);
    return lines.flatMap(payloadsOf);
  }

  end(): Payload[] {
    return payloadsOf(this.pieces.join('')).filter((payload) => payload !== 'unreadable');
  }
}

/** An array is the values that it has. */
function payloadsOf(text: string): Payload[] {
  if (text.trim() === '') return [];
  if (text.trim() === DONE) return ['done'];
  const value = parsed(text);
  if (value === undefined) return ['unreadable'];
  return Array.isArray(value) ? value.map((each: unknown) => ({ value: each })) : [{ value }];
}
