// What goes wrong: refusals, failures, lost responses, cancelled requests.
import assert from 'node:assert/strict';
import { gate } from '../cases.mjs';

const asking = (content, more) => ({ model: 'Ada', messages: [{ role: 'user', content }], ...more });
const said = ({ choices }) => choices[0].message.content;

export const connection = {
  async 'reports an unknown agent as NotFoundError'({ client, OpenAI }) {
    await assert.rejects(client.chat.completions.create(asking('Hello?', { model: 'gpt-4o' })), (error) => {
      assert.ok(error instanceof OpenAI.NotFoundError);
      assert.deepEqual([error.status, error.code, error.param], [404, 'model_not_found', 'model']);
      assert.match(error.message, /gpt-4o/);
      assert.match(error.requestID, /\S/);
      return true;
    });
  },

  async 'reports a wrong key as AuthenticationError'({ connect, OpenAI }) {
    await assert.rejects(connect({ apiKey: 'wrong' }).models.list(), (error) => {
      assert.ok(error instanceof OpenAI.AuthenticationError);
      assert.deepEqual([error.status, error.code], [401, 'invalid_api_key']);
      return true;
    });
  },

  async 'reports an unknown parameter as BadRequestError'({ client, OpenAI }) {
    await assert.rejects(client.chat.completions.create(asking('Hello?', { top_k: 3 })), (error) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.deepEqual([error.status, error.param], [400, 'top_k']);
      return true;
    });
  },

  async 'reports a reply that fails in a stream'({ client, server, OpenAI }) {
    server.model.next({ kind: 'fault', after: 1, text: 'So far so good.' });
    const stream = await client.chat.completions.create(asking('And then?', { stream: true }));
    let text = '';
    const read = async () => {
      for await (const { choices } of stream) text += choices[0].delta.content ?? '';
    };
    await assert.rejects(read(), (error) => error instanceof OpenAI.APIError && /\S/.test(error.code));
    assert.equal(text, 'So ');
  },

  async 'repeats a request whose response was lost, and the model is asked once'({ connect, server }) {
    const before = server.model.requests.length;
    const statuses = [];
    const client = connect({
      async fetch(url, options) {
        const response = await fetch(url, options);
        statuses.push(response.status);
        await response.clone().text();
        if (statuses.length === 1) throw new TypeError('fetch failed');
        return response;
      },
    });
    assert.equal(said(await client.chat.completions.create(asking('Once only.'))), 'You said: Once only.');
    assert.deepEqual([statuses, server.model.requests.length - before], [[200, 200], 1]);
  },

  async 'repeats a request after a failure of the model'({ connect, server }) {
    const before = server.model.requests.length;
    server.model.next({ kind: 'status', status: 500 }, { kind: 'reply', text: 'Better now.' });
    const client = connect({ maxRetries: 1 });
    assert.equal(said(await client.chat.completions.create(asking('Are you well?'))), 'Better now.');
    assert.equal(server.model.requests.length - before, 2);
  },

  async 'gives up after its last repetition'({ connect, server, OpenAI }) {
    server.model.next({ kind: 'status', status: 500 });
    await assert.rejects(connect({ maxRetries: 0 }).chat.completions.create(asking('Still well?')), (error) => {
      assert.ok(error instanceof OpenAI.InternalServerError);
      assert.ok(error.status >= 500);
      assert.match(error.message, /scripted.*status 500/);
      return true;
    });
  },

  async 'joins a reply with the same idempotency key'({ client, server }) {
    const before = server.model.requests.length;
    const options = { headers: { 'Idempotency-Key': 'asked-once' } };
    const [first, again] = [
      await client.chat.completions.create(asking('With a key.'), options),
      await client.chat.completions.create(asking('With a key.'), options),
    ];
    assert.deepEqual(again, first);
    assert.equal(server.model.requests.length - before, 1);
  },

  async 'aborts a request, and the reply is made nevertheless'({ connect, server, OpenAI }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', deltas: ['Made ', 'anyway.'], held: { after: 1, until: opened } });
    let headers;
    const client = connect({
      async fetch(url, options) {
        const response = await fetch(url, options);
        headers = response.headers;
        return response;
      },
    });
    const stream = await client.chat.completions.create(asking('I leave.', { stream: true }));
    let heard = '';
    for await (const { choices } of stream) {
      heard += choices[0].delta.content ?? '';
      if (heard !== '') break;
    }
    assert.deepEqual([heard, stream.controller.signal.aborted], ['Made ', true]);
    open();
    assert.equal(await server.whole(headers.get('content-location')), 'Made anyway.');
    const leaving = new AbortController();
    const asked = client.chat.completions.create(asking('Too late.'), { signal: leaving.signal });
    leaving.abort();
    await assert.rejects(asked, (error) => error instanceof OpenAI.APIUserAbortError);
  },

  async 'gives up after its time limit'({ client, server, OpenAI }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', text: 'Late.', held: { after: 0, until: opened } });
    const asked = client.chat.completions.create(asking('Quick!'), { timeout: 300, maxRetries: 0 });
    await assert.rejects(asked, (error) => error instanceof OpenAI.APIConnectionTimeoutError);
    open();
  },
};
