import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { StreamEvent } from '../../core/http/index.js';
import { eventFields, Journal } from '../../core/journal/index.js';
import { anySignal } from '../../core/signals/index.js';

/** The progress of an agent's documents, for clients that wait for it. */
@Injectable()
export class ProgressStream implements BeforeApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(private readonly journal: Journal) {}

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  /**
   * The `knowledge.updated` entries of an agent from now on, until it is deleted, the signal aborts or the server stops. A slow reader gets the newest entry
   * of each document only.
   */
  async *of(agentId: string, gone: AbortSignal): AsyncGenerator<StreamEvent, void> {
    const signal = anySignal(gone, this.stopping.signal);
    const newest = new Map<string, StreamEvent>();
    let isDeleted = false;
    let wake = (): void => undefined;
    const stop = this.journal.subscribe((entry) => {
      if (entry.type === 'knowledge.updated' && entry.payload.agentId === agentId) {
        const { offset, type, payload } = entry;
        newest.delete(payload.documentId);
        newest.set(payload.documentId, { id: offset, event: type, data: { ...eventFields(entry), offset } });
      } else if (entry.type === 'agent.deleted' && entry.payload.agentId === agentId) isDeleted = true;
      else return;
      wake();
    });
    signal.addEventListener('abort', () => wake(), { once: true });
    try {
      yield { id: this.journal.tail, event: 'ready', data: { agentId, offset: this.journal.tail } };
      for (;;) {
        for (const [documentId, event] of newest) {
          newest.delete(documentId);
          yield event;
        }
        if (isDeleted || signal.aborted) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (newest.size > 0 || isDeleted || signal.aborted) resolve();
        });
      }
    } finally {
      stop();
    }
  }
}
