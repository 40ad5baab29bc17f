// Tools that run in the page.
import assert from 'node:assert/strict';
import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai';

const tools = { getWeather: { description: 'Of a town.', inputSchema: { type: 'object', properties: { town: { type: 'string' } } } } };
const callOf = (town, id = 'one') => ({ id, name: 'getWeather', input: { town } });
const results = (server) =>
  server
    .prompt()
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

/** A page that answers calls by itself. @param answer what `addToolOutput` gets for a call, beside its id and tool */
function openWith(pages, answer, options = {}) {
  const page = pages.open({
    transport: { body: { tools } },
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall({ toolCall: { toolCallId, toolName: tool, input } }) {
      const given = answer(input);
      if (given) void page.chat.addToolOutput({ toolCallId, tool, ...given });
    },
    ...options,
  });
  return page;
}

export const toolsOfThePage = {
  async 'run, and the reply goes on'({ pages, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm')] }, { kind: 'reply', text: 'It is sunny.' });
    const towns = [];
    const page = openWith(pages, ({ town }) => {
      towns.push(town);
      return { output: { sky: 'blue' } };
    });
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'Weather in Ulm?' });
    await page.shows('ready', 'user: Weather in Ulm?', 'assistant: It is sunny.');
    assert.deepEqual([towns, results(server)], [['Ulm'], ['{"sky":"blue"}']]);
    assert.deepEqual(
      page.parts.map(({ type, state }) => [type, state]),
      [
        ['tool-getWeather', 'output-available'],
        ['text', 'done'],
      ],
    );
    await page.chat.sendMessage({ text: 'Sure?' });
    await page.until(({ lines }) => lines[3] === 'assistant: You said: Sure?');
    assert.deepEqual(results(server), ['{"sky":"blue"}']);
    page.close();
  },

  async 'run in parallel, and go back in one request'({ pages, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm', 'one'), callOf('Bonn', 'two')] }, { kind: 'reply', text: 'Sun and rain.' });
    const before = server.model.requests.length;
    const page = openWith(pages, ({ town }) => ({ output: `Weather of ${town}.` }));
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'Weather in both?' });
    await page.shows('ready', 'user: Weather in both?', 'assistant: Sun and rain.');
    assert.deepEqual(results(server), ['Weather of Ulm.', 'Weather of Bonn.']);
    assert.equal(server.model.requests.length - before, 2);
    page.close();
  },

  async 'fail, and the model is told so'({ pages, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm')] }, { kind: 'reply', text: 'I cannot tell.' });
    const page = openWith(pages, () => ({ state: 'output-error', errorText: 'The station is closed.' }));
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'Weather now?' });
    await page.shows('ready', 'user: Weather now?', 'assistant: I cannot tell.');
    assert.deepEqual(results(server), ['The station is closed.']);
    page.close();
  },

  async 'wait for the user'({ pages, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm')] }, { kind: 'reply', text: 'Thank you.' });
    const page = openWith(pages, () => undefined);
    await page.shows('ready');
    await page.chat.sendMessage({ text: 'Ask me.' });
    await page.until(({ chat }) => chat.status === 'ready' && chat.messages.length === 2);
    const [{ state, toolCallId }] = page.parts;
    assert.equal(state, 'input-available');
    await page.chat.addToolResult({ tool: 'getWeather', toolCallId, output: 'I see rain.' });
    await page.shows('ready', 'user: Ask me.', 'assistant: Thank you.');
    assert.deepEqual(results(server), ['I see rain.']);
    page.close();
  },
};
