// A document of 300 pages: from its upload until the agent can recall all of it, and what the server needs meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import { pdfOf } from '../test/support/documents.mjs';
import { shown } from './support/table.mjs';
import { peakMb, residentMb } from './support/workshop.mjs';

const PAGES = 300;
const LINES = 40;
const WORDS = 'harbour lamp tide keeper engine rope signal fog vessel chart beacon watch storm anchor'.split(' ');

export async function ingestion(workshop) {
  const pages = workshop.smoke ? 3 : PAGES;
  const file = pdfOf(Array.from({ length: pages }, (_, page) => [`# Chapter ${page + 1}`, ...linesOf(page)]));
  const rows = [];
  for (const embeddings of ['none', 'embedded']) {
    const server = await workshop.parley({ data: await workshop.data(), env: { EMBEDDING_PROVIDER: embeddings } });
    const { data } = await server.api('GET', '/api/agents');
    const before = await residentMb(server.pid);
    const { seconds, pieces } = await ingest(`${server.url}/api/agents/${data.agents[0].id}/knowledge`, file);
    const peak = await peakMb(server.pid);
    const name = embeddings === 'none' ? `a PDF of ${pages} pages` : 'the same with an encoder';
    const more = `${pieces} pieces, ${shown(file.length / 1e6)} MB`;
    rows.push({ name: `ingestion of ${name}`, floor: { below: 60 }, measured: seconds, unit: ' s', more });
    rows.push({
      name: `resident, peak beside idle, ${name}`,
      floor: { below: 300 },
      measured: peak - before,
      unit: ' MB',
      more: `${shown(before)} MB before`,
    });
    if (embeddings === 'embedded') {
      rows.push({ name: 'until its last piece has a vector', measured: await embedded(server, data.agents[0].id), unit: ' s' });
    }
    await server.stop();
  }
  return rows;
}

/** Seconds until the newest piece has a vector. */
async function embedded(server, agentId) {
  const startedAt = performance.now();
  for (;;) {
    const { data } = await server.api('GET', `/api/agents/${agentId}/memories?type=knowledge&limit=1&includeEmbedding=true`);
    if (data.memories[0].embedding) return (performance.now() - startedAt) / 1000;
    await pause(200);
  }
}

async function ingest(path, file) {
  const form = new FormData();
  form.append('file', new Blob([file], { type: 'application/pdf' }), 'handbook.pdf');
  const startedAt = performance.now();
  let { data: document } = await (await fetch(path, { method: 'POST', body: form })).json();
  while (document.status === 'pending' || document.status === 'processing') {
    await pause(50);
    ({ data: document } = await (await fetch(`${path}/${document.id}?limit=1`)).json());
  }
  if (document.status !== 'ready') throw new Error(`the document was not ingested: ${document.error?.message}`);
  return { seconds: (performance.now() - startedAt) / 1000, pieces: document.pieces };
}

/** The lines of a page: sentences of ten words, none of them twice. */
function linesOf(page) {
  return Array.from({ length: LINES }, (_, line) => {
    const words = WORDS.map((_, index) => WORDS[(page * 7 + line * (index + 3)) % WORDS.length]);
    return `Line ${line + 1} of page ${page + 1}: ${words.slice(0, 7).join(' ')}.`;
  });
}
