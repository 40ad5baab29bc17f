// Search in several languages: messages by `POST /api/messaging/messages/search`, and documents as the prompt shows them. No model judges
// anything.
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { startModelServer } from '../test/support/model-server.mjs';
import { filler } from './recall/chatter.mjs';
import { LANGUAGES, packOf } from './recall/languages/index.mjs';
import { mentions } from './recall/mentions.mjs';
import { settingsFor } from './recall/stage.mjs';
import { KINDS, textsOf } from './search/texts.mjs';
import { idle } from './support/workshop.mjs';

const FILLER = 200;
// Found means: on the first page that a reader sees, or among the first pieces of documents in the prompt.
const FIRST_MESSAGES = 10;
const FIRST_PIECES = 5;
const WANTED_DOCUMENTS = 80;
const LABELS = { none: 'words alone', embedded: 'default configuration', openai: 'service' };

export async function search(workshop) {
  const { options } = workshop;
  const languages = options.languages?.split(',') ?? (workshop.smoke ? ['zh'] : LANGUAGES);
  const model = await startModelServer({ otherwise: { kind: 'reply', text: 'All right.' } });
  const rows = [];
  const written = [];
  const misses = [];
  try {
    for (const language of languages) {
      process.stderr.write(`search: ${language} ...\n`);
      const texts = textsOf(language);
      const data = await workshop.data();
      const found = {};
      for (const encoder of ['none', workshop.env.EMBEDDING_PROVIDER ?? 'embedded']) {
        const server = await workshop.parley({
          data,
          env: { ...settingsFor(model, workshop.env), EMBEDDING_PROVIDER: encoder },
        });
        if (encoder === 'none') {
          await tell(workshop, server, texts, packOf(language).speech);
          found.messages = await searchMessages(workshop, server, texts);
          rows.push(rowOf(`messages found, ${language}`, found.messages, { more: byKind(found.messages) }));
        }
        if (!workshop.smoke) await idle(server.pid);
        found[encoder] = await askAboutDocuments(workshop, server, texts, model);
        rows.push(rowOf(`documents found, ${language}, ${LABELS[encoder]}`, found[encoder], { floor: { atLeast: WANTED_DOCUMENTS } }));
        await server.stop();
      }
      written.push({ language, engine: workshop.engine, ...found });
      misses.push(...missesOf(language, found));
      if (options.json !== undefined) await writeFile(options.json, JSON.stringify(written, undefined, 2));
    }
  } finally {
    await model.close();
  }
  workshop.report(`Search on ${workshop.engine}.`);
  if (options.misses) workshop.report(misses.join('\n'));
  return rows;
}

/** Stores the messages among others, and the documents. */
async function tell(workshop, server, { messages, documents }, speech) {
  const [agent] = (await server.api('GET', '/api/agents')).data.agents;
  const { data: channel } = await server.api('POST', '/api/messaging/channels', { name: 'search' });
  const others = filler(1, workshop.times(FILLER, 5), speech);
  const all = [...others.slice(0, others.length / 2), ...messages.map(({ text }) => text), ...others.slice(others.length / 2)];
  for (const content of all) {
    const body = { channel_id: channel.id, author_id: agent.id, content, raw_message: { text: content } };
    await server.api('POST', '/api/messaging/submit', body);
  }
  const path = `/api/agents/${agent.id}/knowledge`;
  for (const { name, text } of documents) {
    let { data: document } = await server.api('POST', path, { name, text });
    while (document.status === 'pending' || document.status === 'processing') {
      await pause(50);
      ({ data: document } = await server.api('GET', `${path}/${document.id}?limit=1`));
    }
    if (document.status !== 'ready') throw new Error(`"${name}" was not read: ${document.error?.message}`);
  }
}

async function searchMessages(workshop, server, { messages, queries }) {
  const results = [];
  for (const { kind, query, expected } of queries.slice(0, workshop.times(queries.length, 2))) {
    const { data } = await server.api('POST', '/api/messaging/messages/search', { query, limit: FIRST_MESSAGES });
    const texts = data.messages.map(({ content }) => content);
    const wanted = messages.filter(({ key }) => expected.includes(key)).map(({ text }) => text);
    const missing = wanted.filter((text) => !texts.includes(text));
    results.push({
      kind,
      query,
      found: missing.length === 0,
      missing,
      others: texts.filter((text) => !wanted.includes(text)),
    });
  }
  return results;
}

async function askAboutDocuments(workshop, server, { questions }, model) {
  const [agent] = (await server.api('GET', '/api/agents')).data.agents;
  const results = [];
  for (const { question, evidence } of questions.slice(0, workshop.times(questions.length, 2))) {
    const { data: session } = await server.api('POST', '/api/messaging/sessions', { agentId: agent.id, userId: crypto.randomUUID() });
    model.requests.splice(0);
    await server.api('POST', `/api/messaging/sessions/${session.sessionId}/messages`, { content: question, transport: 'http' });
    const call = model.requests.find(({ body }) => body.stream === true);
    const prompt = (call?.body.messages ?? []).map(({ content }) => (typeof content === 'string' ? content : '')).join('\n');
    const pieces = prompt.split('\n').filter((line) => /^\[\d+\] /.test(line));
    const place = pieces.findIndex((line) => mentions(line, evidence)) + 1;
    results.push({
      question,
      evidence,
      found: place > 0 && place <= FIRST_PIECES,
      place,
      pieces: pieces.map((line) => line.slice(0, 120)),
    });
  }
  return results;
}

function rowOf(name, results, { more = '', floor } = {}) {
  const found = results.filter((each) => each.found).length;
  return {
    name,
    ...(floor === undefined ? {} : { floor }),
    measured: (100 * found) / results.length,
    unit: ' %',
    more: [`${found} of ${results.length}`, more].filter((text) => text !== '').join('; '),
  };
}

function byKind(results) {
  const parts = KINDS.flatMap((kind) => {
    const of = results.filter((each) => each.kind === kind);
    return of.length === 0 ? [] : [`${kind} ${of.filter(({ found }) => found).length}/${of.length}`];
  });
  const others = results.reduce((sum, each) => sum + each.others.length, 0);
  return `${parts.join(', ')}; ${others} other messages`;
}

function missesOf(language, { messages, ...encoders }) {
  return [
    ...messages
      .filter(({ found }) => !found)
      .map(({ kind, query, missing }) => `- ${language}, message, ${kind}: ${query} -> ${missing.join(' | ')}`),
    ...Object.entries(encoders).flatMap(([encoder, results]) =>
      results
        .filter(({ found }) => !found)
        .map(
          ({ question, evidence, place, pieces }) =>
            `- ${language}, document, ${LABELS[encoder]}: ${question} -> ${evidence}, ${place === 0 ? 'not' : `as number ${place}`} among ${pieces.length} pieces`,
        ),
    ),
  ];
}
