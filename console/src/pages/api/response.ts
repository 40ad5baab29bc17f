// Reads a response as it comes: text to its limit, a stream until it ends or is stopped, anything else as a file.
import { signal } from '@preact/signals';
import { cutText } from '../../cut-text.js';
import { send, type Draft } from './request.js';

/** More text than this is not shown. */
const MAX_TEXT = 300_000;
const TEXT = /^text\/|[/+](json|xml)\b|^application\/(javascript|x-ndjson)/;

export interface ReadResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Until the headers came. */
  readonly ms: number;
  readonly type: string;
  readonly text: string;
  /** Whether there was more text than is shown. */
  readonly cut: boolean;
  /** Address of the content, if it is not text. */
  readonly file?: string;
  /** Of the content, if it is not text. */
  readonly bytes?: number;
}

/** The last response to a form's request. */
export class ResponseReader {
  readonly current = signal<ReadResponse | undefined>(undefined);
  readonly error = signal<unknown>(undefined);
  readonly running = signal(false);
  private abort: AbortController | undefined;

  async ask(draft: Draft): Promise<void> {
    this.clear();
    const abort = new AbortController();
    this.abort = abort;
    this.running.value = true;
    const begin = performance.now();
    try {
      const response = await send(draft, abort.signal);
      const type = response.headers.get('content-type') ?? '';
      this.current.value = {
        status: response.status,
        headers: response.headers,
        ms: performance.now() - begin,
        type,
        text: '',
        cut: false,
      };
      if (response.body === null || TEXT.test(type) || type === '') await this.readText(response);
      else await this.readFile(response);
    } catch (error) {
      if (!abort.signal.aborted) this.error.value = error;
    }
    if (this.abort === abort) this.running.value = false;
  }

  /** Ends a request; what has come stays. */
  stop(): void {
    this.abort?.abort();
    this.running.value = false;
  }

  clear(): void {
    this.stop();
    const file = this.current.value?.file;
    if (file !== undefined) URL.revokeObjectURL(file);
    this.current.value = undefined;
    this.error.value = undefined;
  }

  private async readText(response: Response): Promise<void> {
    if (!response.body) return;
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = (this.current.value?.text ?? '') + decoder.decode(value, { stream: true });
      const cut = text.length > MAX_TEXT;
      this.change({ text: cutText(text, MAX_TEXT), cut });
      if (cut) {
        await reader.cancel();
        return;
      }
    }
  }

  private async readFile(response: Response): Promise<void> {
    const content = await response.blob();
    this.change({ file: URL.createObjectURL(content), bytes: content.size });
  }

  private change(changes: Partial<ReadResponse>): void {
    if (this.current.value) this.current.value = { ...this.current.value, ...changes };
  }
}
