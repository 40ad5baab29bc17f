import type { ApiClient } from './api-client.js';
import { errorFrom } from './errors.js';
import type { DocumentView } from './wire.js';

/** A file, a web page, or a text. */
export type KnowledgeSource = Blob | { readonly url: string } | { readonly text: string; readonly name: string };

export interface KnowledgeOptions {
  /** Called with the state of the document whenever it changes. */
  readonly onProgress?: (document: DocumentView) => void;
  readonly signal?: AbortSignal;
}

/** @returns the document once the agent knows it */
export async function addKnowledge(
  api: ApiClient,
  agentId: string,
  source: KnowledgeSource,
  { onProgress, signal }: KnowledgeOptions = {},
): Promise<DocumentView> {
  const added = await api.call('POST /api/agents/{agentId}/knowledge', { path: { agentId }, body: bodyOf(source), signal });
  onProgress?.(added);
  if (isDone(added)) return resultOf(added);
  const path = { agentId, documentId: added.id };
  const stream = api.stream(`/api/agents/${encodeURIComponent(agentId)}/knowledge/events`, { ...(signal && { signal }) });
  for await (const { event, data } of stream) {
    // `ready` begins a stream: what happened before it is read.
    if (event !== 'ready' && (JSON.parse(data) as { documentId?: string }).documentId !== added.id) continue;
    const document = await api.call('GET /api/agents/{agentId}/knowledge/{documentId}', { path, query: { limit: 1 }, signal });
    onProgress?.(document);
    if (isDone(document)) return resultOf(document);
  }
  return api.call('GET /api/agents/{agentId}/knowledge/{documentId}', { path, signal });
}

function bodyOf(source: KnowledgeSource): FormData | Exclude<KnowledgeSource, Blob> {
  if (!(source instanceof Blob)) return source;
  const form = new FormData();
  form.append('file', source, 'name' in source ? String(source.name) : 'document');
  return form;
}

function isDone({ status }: DocumentView): boolean {
  return status === 'ready' || status === 'failed';
}

function resultOf(document: DocumentView): DocumentView {
  if (document.error) throw errorFrom({ ...document.error, status: 422 });
  return document;
}
