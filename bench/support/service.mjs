// A model service that keeps the pace of real ones: each reply is a number of pieces, evenly over a time, until another pace is set. A piece
// begins with the time at which it is sent, epoch ms, so that readers on the same machine can tell how long it was on its way.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { notesOf } from './notes.mjs';

/** What it says when it has no pace. */
export const RESPONSE = 'That is good to know, and I will remember it.';

const BEAT_MS = 4;
const USAGE = { prompt_tokens: 700, completion_tokens: 250, total_tokens: 950 };

export default function main() {
  const replies = new Set();
  let pace = {};
  const server = createServer((request, response) => {
    serve(request, response, { ...pace, replies }).catch((error) => response.destroy(error));
  });
  // One timer for all, because hundreds would delay each other.
  setInterval(() => replies.forEach((reply) => reply()), BEAT_MS);
  const listening = once(server.listen(0, '127.0.0.1'), 'listening');
  process.on('message', ({ pieces = 1, replyMs = 0 }) => {
    pace = { pieces, replyMs };
    void listening.then(() => process.send({ url: `http://127.0.0.1:${server.address().port}/v1` }));
  });
}

async function serve(request, response, { pieces, replyMs, replies }) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  await once(request, 'end');
  const { messages, stream, model } = JSON.parse(Buffer.concat(chunks).toString());
  const notes = notesOf(messages);
  if (!stream) {
    const message = { role: 'assistant', content: notes ?? 'A talk about this and that' };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ id: '1', object: 'chat.completion', model, choices: [{ index: 0, message, finish_reason: 'stop' }], usage: USAGE }),
    );
    return;
  }
  const piece = (delta, finish = null) =>
    `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 0, model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const end = `${piece({}, 'stop')}data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 0, model, choices: [], usage: USAGE })}\n\ndata: [DONE]\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.socket.setNoDelay(true);
  if (replyMs === 0 || notes !== undefined) {
    response.end(piece({ role: 'assistant', content: notes ?? RESPONSE }) + end);
    return;
  }
  response.write(piece({ role: 'assistant', content: '' }));
  const begin = performance.now();
  let sent = 0;
  const reply = () => {
    const due = Math.min(pieces, Math.floor(((performance.now() - begin) * pieces) / replyMs));
    for (; sent < due; sent++) response.write(piece({ content: `${stamp()} ` }));
    if (sent < pieces) return;
    replies.delete(reply);
    response.end(end);
  };
  replies.add(reply);
  response.once('close', () => replies.delete(reply));
}

/** As long as a word. */
function stamp() {
  return (performance.timeOrigin + performance.now()).toFixed(1);
}
