// The documents of an agent, kept up to date by the stream of their progress.
import { signal } from '@preact/signals';
import { NotFoundError, type DocumentBody, type DocumentView } from 'parley-client';
import { parley } from '../../api.js';

const PAGE = 50;
/** After a stream that the server refused. */
const REFUSED_MS = 5000;

interface Progress {
  readonly documentId: string;
  readonly status: DocumentView['status'] | 'deleted';
  readonly progress: DocumentView['progress'];
  readonly error: DocumentView['error'];
}

export class Documents {
  /** Newest first; undefined until they are loaded. */
  readonly list = signal<readonly DocumentView[] | undefined>(undefined);
  readonly total = signal(0);
  readonly cursor = signal<string | undefined>(undefined);
  readonly fault = signal<unknown>(undefined);
  /** Files that are on their way to the server. */
  readonly uploading = signal<readonly string[]>([]);

  constructor(private readonly agentId: string) {}

  /** Loads the first page, and follows the progress until the signal is aborted. */
  async follow(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      try {
        await this.load();
        for await (const { event, data } of parley.stream(`/api/agents/${this.agentId}/knowledge/events`, { signal: stop })) {
          // What happened before the stream was open, or while it was cut, is in the list.
          if (event === 'ready') await this.load();
          else if (event === 'knowledge.updated') await this.apply(JSON.parse(data) as Progress);
        }
      } catch (error) {
        if (stop.aborted) return;
        this.fault.value = error;
        if (this.list.value === undefined) return;
      }
      await new Promise((resolve) => setTimeout(resolve, REFUSED_MS));
    }
  }

  async load(): Promise<void> {
    const page = await parley.call('GET /api/agents/{agentId}/knowledge', { path: this.path, query: { limit: PAGE } });
    this.list.value = page.documents;
    this.total.value = page.total;
    this.cursor.value = page.nextCursor;
    this.fault.value = undefined;
  }

  /** Loads the next page. @throws ParleyError */
  async more(): Promise<void> {
    const page = await parley.call('GET /api/agents/{agentId}/knowledge', {
      path: this.path,
      query: { limit: PAGE, cursor: this.cursor.value },
    });
    const known = new Set(this.list.value?.map(({ id }) => id));
    this.list.value = [...(this.list.value ?? []), ...page.documents.filter(({ id }) => !known.has(id))];
    this.cursor.value = page.nextCursor;
  }

  /** Sends a file. With `documentId` it replaces the content of that document. @throws ParleyError */
  async upload(file: File, documentId?: string): Promise<void> {
    const body = new FormData();
    body.append('file', file);
    this.uploading.value = [...this.uploading.value, file.name];
    try {
      await this.send(body, documentId);
    } finally {
      const at = this.uploading.value.indexOf(file.name);
      this.uploading.value = this.uploading.value.filter((_, index) => index !== at);
    }
  }

  /** Adds a text or the document at an address, or downloads one again. @throws ParleyError */
  async send(body: DocumentBody | FormData, documentId?: string): Promise<void> {
    const document =
      documentId === undefined
        ? await parley.call('POST /api/agents/{agentId}/knowledge', { path: this.path, body })
        : await parley.call('PUT /api/agents/{agentId}/knowledge/{documentId}', { path: { ...this.path, documentId }, body });
    // Its progress may have come before the response.
    await this.refresh(document.id);
  }

  /** @throws ParleyError */
  async delete(documentId: string): Promise<void> {
    await parley.call('DELETE /api/agents/{agentId}/knowledge/{documentId}', { path: { ...this.path, documentId } });
    this.remove(documentId);
  }

  private get path(): { readonly agentId: string } {
    return { agentId: this.agentId };
  }

  private async apply({ documentId, status, progress, error }: Progress): Promise<void> {
    const known = this.list.value?.find(({ id }) => id === documentId);
    if (status === 'deleted') this.remove(documentId);
    // The numbers that the event does not carry have changed.
    else if (!known || status === 'ready' || status === 'failed') await this.refresh(documentId);
    else this.put({ ...known, status, progress, error });
  }

  private async refresh(documentId: string): Promise<void> {
    try {
      const path = { ...this.path, documentId };
      this.put(await parley.call('GET /api/agents/{agentId}/knowledge/{documentId}', { path, query: { limit: 1 } }));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      this.remove(documentId);
    }
  }

  private put(document: DocumentView): void {
    const list = this.list.value ?? [];
    if (list.some(({ id }) => id === document.id)) this.list.value = list.map((one) => (one.id === document.id ? document : one));
    else {
      this.list.value = [document, ...list];
      this.total.value += 1;
    }
  }

  private remove(documentId: string): void {
    const list = this.list.value ?? [];
    if (!list.some(({ id }) => id === documentId)) return;
    this.list.value = list.filter(({ id }) => id !== documentId);
    this.total.value -= 1;
  }
}
