// Pages that are loaded again: `resume`.
import assert from 'node:assert/strict';
import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
import { gate } from '../support/cases.mjs';

/** A transport whose answers to the question for a running reply a case can wait for. */
function watched() {
  const { open, opened } = gate();
  const transport = {
    async fetch(url, options) {
      const response = await fetch(url, options);
      if (String(url).endsWith('/stream')) open(response.status);
      return response;
    },
  };
  return { transport, opened };
}

export const reloads = {
  async 'reads the running reply from its beginning'({ pages, server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', deltas: ['Green ', 'tea ', 'is good.'], held: { after: 1, until: opened } });
    const page = pages.open();
    await page.shows('ready');
    void page.chat.sendMessage({ text: 'Which tea?' });
    await page.until(({ lines }) => lines[1]?.trim() === 'assistant: Green');
    const stored = page.chat.messages.filter(({ role }) => role === 'user');
    page.close();
    const again = pages.open({ id: page.id, messages: stored, resume: true });
    await again.until(({ lines }) => lines[1]?.trim() === 'assistant: Green');
    open();
    await again.shows('ready', 'user: Which tea?', 'assistant: Green tea is good.');
    again.close();
  },

  async 'replaces what it has of the running reply'({ pages, server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', deltas: ['Black ', 'tea ', 'then.'], held: { after: 1, until: opened } });
    const page = pages.open();
    await page.shows('ready');
    void page.chat.sendMessage({ text: 'Another?' });
    await page.until(({ lines }) => lines[1]?.trim() === 'assistant: Black');
    const stored = structuredClone(page.chat.messages);
    page.close();
    const again = pages.open({ id: page.id, messages: stored, resume: true });
    await again.until(({ chat }) => chat.status === 'streaming');
    open();
    await again.shows('ready', 'user: Another?', 'assistant: Black tea then.');
    again.close();
  },

  async 'stays idle when no reply is running'({ pages }) {
    const page = pages.open();
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'Done soon.' });
    const stored = page.chat.messages;
    page.close();
    const { transport, opened } = watched();
    const again = pages.open({ id: page.id, messages: stored, resume: true, transport });
    assert.equal(await opened, 204);
    await again.shows('ready', 'user: Done soon.', 'assistant: You said: Done soon.');
    await again.chat.sendMessage({ text: 'And again.' });
    await again.until(({ lines }) => lines[3] === 'assistant: You said: And again.');
    again.close();
  },

  async 'stays idle in a chat that the server does not know'({ pages }) {
    const { transport, opened } = watched();
    const page = pages.open({ resume: true, transport });
    assert.equal(await opened, 204);
    await page.shows('ready');
    page.close();
  },

  async 'gets a call that waits again, and answers it'({ pages, server }) {
    const tools = { getTown: { description: 'Of the user.', inputSchema: { type: 'object', properties: {} } } };
    server.model.next({ kind: 'calls', calls: [{ id: 'one', name: 'getTown', input: {} }] }, { kind: 'reply', text: 'It rains in Ulm.' });
    const page = pages.open({ transport: { body: { tools } } });
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'Weather here?' });
    const stored = page.chat.messages.filter(({ role }) => role === 'user');
    page.close();
    const again = pages.open({
      ...{ id: page.id, messages: stored, resume: true, transport: { body: { tools } } },
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
      onToolCall: ({ toolCall: { toolCallId, toolName: tool } }) => void again.chat.addToolOutput({ toolCallId, tool, output: 'Ulm' }),
    });
    await again.shows('ready', 'user: Weather here?', 'assistant: It rains in Ulm.');
    assert.deepEqual(server.prompt().at(-1).content, 'Ulm');
    again.close();
  },
};
