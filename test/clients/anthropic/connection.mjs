// Credentials, refusals, failures, lost responses, aborts.
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { gate } from '../support/cases.mjs';
import { KEY } from '../support/scripted-server.mjs';

const asking = (content, more) => ({ model: 'Ada', max_tokens: 100, messages: [{ role: 'user', content }], ...more });
const said = ({ content }) => content[0].text;

/** Checks the class of the error of a request, its status, and its code of Parley. */
async function refused(asked, kind, status, code) {
  await assert.rejects(asked, (error) => {
    assert.ok(error instanceof kind, error.constructor.name);
    assert.deepEqual([error.status, error.error.error.details.error_code], [status, code]);
    assert.match(error.requestID, /\S/);
    return true;
  });
}

export const connection = {
  async 'sends its key as a bearer token'({ connect }) {
    const client = connect({ apiKey: null, authToken: KEY });
    assert.equal(said(await client.messages.create(asking('With a token.'))), 'You said: With a token.');
  },

  async 'reports a wrong key as AuthenticationError'({ connect }) {
    const asked = connect({ apiKey: 'wrong' }).messages.create(asking('Hello?'));
    await assert.rejects(asked, (error) => error instanceof Anthropic.AuthenticationError && error.type === 'authentication_error');
  },

  async 'reports an unknown agent as NotFoundError'({ client }) {
    const asked = client.messages.create(asking('Hello?', { model: 'claude-opus-5' }));
    await refused(asked, Anthropic.NotFoundError, 404, 'agent_not_found');
  },

  async 'reports an unknown parameter as BadRequestError'({ client }) {
    const asked = client.messages.create(asking('Hello?', { top_k: 3 }));
    await refused(asked, Anthropic.BadRequestError, 400, 'validation_error');
    await assert.rejects(asked, /top_k/);
  },

  async 'reports a reply that fails in a stream'({ client, server }) {
    server.model.next({ kind: 'fault', after: 1, text: 'So far so good.' });
    const stream = client.messages.stream(asking('And then?'));
    let heard = '';
    stream.on('text', (text) => {
      heard += text;
    });
    await assert.rejects(stream.finalMessage(), (error) => error instanceof Anthropic.APIError);
    assert.equal(heard.trim(), 'So');
  },

  async 'repeats a request whose response was lost, and the model is asked once'({ connect, server }) {
    const before = server.model.requests.length;
    let sent = 0;
    const client = connect({
      async fetch(url, options) {
        const response = await fetch(url, options);
        sent += 1;
        await response.clone().text();
        if (sent === 1) throw new TypeError('fetch failed');
        return response;
      },
    });
    assert.equal(said(await client.messages.create(asking('Once only, Anthropic.'))), 'You said: Once only, Anthropic.');
    assert.deepEqual([sent, server.model.requests.length - before], [2, 1]);
  },

  async 'repeats a request after a failure of the model'({ connect, server }) {
    const before = server.model.requests.length;
    server.model.next({ kind: 'status', status: 500 }, { kind: 'reply', text: 'Better now.' });
    assert.equal(said(await connect({ maxRetries: 1 }).messages.create(asking('Are you well?'))), 'Better now.');
    assert.equal(server.model.requests.length - before, 2);
  },

  async 'aborts a stream, and the reply is made nevertheless'({ client, server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', deltas: ['Made ', 'anyway.'], held: { after: 1, until: opened } });
    const stream = client.messages.stream(asking('I leave.'));
    const heard = [];
    stream.on('text', (text) => {
      heard.push(text);
      stream.abort();
    });
    await assert.rejects(stream.done(), (error) => error instanceof Anthropic.APIUserAbortError);
    open();
    assert.deepEqual(
      [heard.map((text) => text.trim()), await server.whole(stream.response.headers.get('content-location'))],
      [['Made'], 'Made anyway.'],
    );
  },

  async 'gives up after its time limit'({ connect, server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', text: 'Late.', held: { after: 0, until: opened } });
    const asked = connect({ timeout: 300, maxRetries: 0 }).messages.create(asking('Quick!'));
    await assert.rejects(asked, (error) => error instanceof Anthropic.APIConnectionTimeoutError);
    open();
  },
};
