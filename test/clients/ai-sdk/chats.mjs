// Chats: messages, streams, the status, files, edits, errors.
import assert from 'node:assert/strict';
import { DefaultChatTransport } from 'ai';
import { gate } from '../support/cases.mjs';
import { PIXEL } from '../support/scripted-server.mjs';

const user = (content) => ({ role: 'user', content });
const assistant = (content) => ({ role: 'assistant', content });

export const chats = {
  async 'shows the reply while it is written'({ pages, server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', deltas: ['Green ', 'tea.'], held: { after: 1, until: opened } });
    const page = pages.open();
    await page.shows('ready');
    void page.chat.sendMessage({ text: 'Which tea?' });
    await page.until(({ lines }) => lines[1]?.trim() === 'assistant: Green');
    assert.equal(page.chat.status, 'streaming');
    open();
    await page.shows('ready', 'user: Which tea?', 'assistant: Green tea.');
    assert.deepEqual(page.statuses, ['ready', 'submitted', 'streaming', 'ready']);
    const { metadata } = page.chat.messages.at(-1);
    assert.deepEqual([metadata.usage.inputTokens, metadata.usage.outputTokens], [7, 3]);
    page.close();
  },

  async 'goes on with a second turn in the same conversation'({ pages, server }) {
    const page = pages.open();
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'I am Ann.' });
    await page.shows('ready', 'user: I am Ann.', 'assistant: You said: I am Ann.');
    await page.chat.sendMessage({ text: 'Who am I?' });
    await page.shows('ready', 'user: I am Ann.', 'assistant: You said: I am Ann.', 'user: Who am I?', 'assistant: You said: Who am I?');
    const [first, second] = page.chat.messages.filter(({ role }) => role === 'assistant').map(({ metadata }) => metadata.conversationId);
    assert.ok(first);
    assert.equal(second, first);
    assert.deepEqual(server.prompt(), [user('I am Ann.'), assistant('You said: I am Ann.'), user('Who am I?')]);
    page.close();
  },

  async 'sends the last message alone'({ pages, server }) {
    const sent = [];
    const transport = {
      prepareSendMessagesRequest({ id, messages, trigger, body }) {
        sent.push(messages.length);
        return { body: { ...body, id, trigger, message: messages.at(-1) } };
      },
    };
    const page = pages.open({ transport });
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'I am Bea.' });
    await page.chat.sendMessage({ text: 'And I?' });
    await page.until(({ lines }) => lines[3] === 'assistant: You said: And I?');
    assert.deepEqual(sent, [1, 3]);
    assert.deepEqual(
      server.prompt().map(({ content }) => content),
      ['I am Bea.', 'You said: I am Bea.', 'And I?'],
    );
    page.close();
  },

  async 'generates a reply again'({ pages, server }) {
    server.model.next({ kind: 'reply', text: 'One.' }, { kind: 'reply', text: 'Another one.' });
    const page = pages.open();
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'A number?' });
    await page.shows('ready', 'user: A number?', 'assistant: One.');
    await page.chat.regenerate();
    await page.shows('ready', 'user: A number?', 'assistant: Another one.');
    assert.deepEqual(server.prompt(), [user('A number?')]);
    page.close();
  },

  async 'edits a message'({ pages, server }) {
    const page = pages.open();
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'Green or red?' });
    await page.chat.sendMessage({ text: 'Sure?' });
    const [first] = page.chat.messages;
    await page.chat.sendMessage({ text: 'Green or black?', messageId: first.id });
    await page.shows('ready', 'user: Green or black?', 'assistant: You said: Green or black?');
    assert.deepEqual(server.prompt(), [user('Green or black?')]);
    page.close();
  },

  async 'stops to read, and the reply is made nevertheless'({ pages, server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', deltas: ['Made ', 'anyway.'], held: { after: 1, until: opened } });
    const page = pages.open();
    await page.shows('ready');
    void page.chat.sendMessage({ text: 'I leave.' });
    await page.until(({ lines }) => lines[1]?.trim() === 'assistant: Made');
    await page.chat.stop();
    await page.until(({ chat }) => chat.status === 'ready');
    open();
    const { conversationId, messageId } = page.chat.messages.at(-1).metadata;
    const whole = await server.whole(`/api/messaging/channels/${conversationId}/messages/${messageId}/events`);
    assert.deepEqual([page.lines[1].trim(), whole], ['assistant: Made', 'Made anyway.']);
    page.close();
  },

  async 'goes on behind a reply that it stopped, which is cancelled'({ pages, server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', deltas: ['So ', 'long.'], held: { after: 1, until: opened } });
    const page = pages.open();
    await page.shows('ready');
    void page.chat.sendMessage({ text: 'Tell me all.' });
    await page.until(({ lines }) => lines[1]?.trim() === 'assistant: So');
    await page.chat.stop();
    await page.until(({ chat }) => chat.status === 'ready');
    await page.chat.sendMessage({ text: 'In short?' });
    await page.until(({ lines, chat }) => chat.status === 'ready' && lines[3] === 'assistant: You said: In short?');
    open();
    page.close();
  },

  async 'sends a file'({ pages, server }) {
    const url = `data:image/png;base64,${PIXEL}`;
    server.model.next({ kind: 'reply', text: 'A dot.' });
    const page = pages.open();
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'What is this?', files: [{ type: 'file', mediaType: 'image/png', filename: 'dot.png', url }] });
    await page.shows('ready', 'user: What is this?', 'assistant: A dot.');
    const seen = server.prompt()[0].content.find(({ type }) => type === 'image_url');
    assert.equal(seen.image_url.url, url);
    page.close();
  },

  async 'shows an action of the agent as a tool of the provider'({ pages, server }) {
    const calls = [{ id: 'one', name: 'LOOK_UP_TEA', input: {} }];
    server.model.next({ kind: 'calls', calls }, { kind: 'reply', text: 'A green one.' });
    const page = pages.open();
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'What is sencha?' });
    await page.shows('ready', 'user: What is sencha?', 'assistant: A green one.');
    const [{ type, toolName, state, output, providerExecuted }] = page.parts;
    assert.deepEqual([type, toolName, state, providerExecuted], ['dynamic-tool', 'LOOK_UP_TEA', 'output-available', true]);
    assert.match(JSON.stringify(output), /Sencha is green\./);
    page.close();
  },

  async 'shows why a request is refused'({ pages }) {
    const [unknown, wrong] = [pages.open({ agent: 'nobody' }), pages.open({ key: 'wrong' })];
    for (const page of [unknown, wrong]) {
      await page.shows('ready');
      await page.chat.sendMessage({ text: 'Hello?' });
    }
    await unknown.shows('error', 'user: Hello?', 'AGENT_NOT_FOUND');
    await wrong.shows('error', 'user: Hello?', 'UNAUTHORIZED');
    for (const page of [unknown, wrong]) page.close();
  },

  async 'shows that a reply failed, and asks again'({ pages, server }) {
    server.model.next({ kind: 'fault', after: 1, text: 'So far so good.' }, { kind: 'reply', text: 'Better now.' });
    const failures = [];
    const page = pages.open({ onError: ({ message }) => failures.push(message) });
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'Are you well?' });
    await page.until(({ chat }) => chat.status === 'error');
    assert.deepEqual([page.lines.length, page.lines[1].trim(), failures.length], [3, 'assistant: So', 1]);
    assert.match(failures[0], /\S/);
    await page.chat.regenerate();
    await page.shows('ready', 'user: Are you well?', 'assistant: Better now.');
    page.close();
  },

  async 'keeps two chats apart'({ pages, server }) {
    const [one, other] = [pages.open(), pages.open()];
    await Promise.all([one.shows('ready'), other.shows('ready')]);
    await one.chat.sendMessage({ text: 'I am Cleo.' });
    await other.chat.sendMessage({ text: 'I am Dora.' });
    await other.shows('ready', 'user: I am Dora.', 'assistant: You said: I am Dora.');
    assert.deepEqual(server.prompt(), [user('I am Dora.')]);
    const [first, second] = [one, other].map(({ chat }) => chat.messages.at(-1).metadata.conversationId);
    assert.notEqual(first, second);
    for (const page of [one, other]) page.close();
  },

  async 'talks to a transport of the page without React'({ server }) {
    const transport = new DefaultChatTransport({
      api: `${server.url}/api/agents/Ada/chat`,
      headers: { 'x-api-key': 'the-administrator-of-the-suites' },
    });
    const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'By hand.' }] }];
    const stream = await transport.sendMessages({ chatId: 'by-hand', messages, trigger: 'submit-message' });
    let text = '';
    for await (const { delta = '' } of stream) text += delta;
    assert.equal(text, 'You said: By hand.');
    assert.equal(await transport.reconnectToStream({ chatId: 'by-hand' }), null);
  },
};
