// What a call of a model costs this process, ms of processor time: the bare request, the AI SDK alone, and Parley's way through it.
import { request } from 'undici';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { median } from './support/statistics.mjs';

const CALLERS = 16;
const ROUNDS = 7;
const CALLS = 400;
const MODEL = 'bench';
const DIST = new URL('../dist/', import.meta.url);

// Not a literal import: dist is there after a build, and imports are checked before one.
const built = (file) => import(new URL(file, DIST).href);

export async function model(workshop) {
  const baseURL = await workshop.model();
  const { serviceFetch } = await built('providers/outbound/index.js');
  const { completionsApi } = await built('providers/models/chat-apis.js');
  const { ServiceChatModel } = await built('providers/models/service-chat-model.js');
  const { SystemClock } = await built('core/clock/index.js');
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'What do you make of the weather in Lisbon?' }] }];
  const read = async (chat) => {
    const { stream } = await chat.doStream({ prompt });
    for await (const part of stream) if (part.type === 'error') throw part.error;
  };
  const alone = createOpenAICompatible({ name: 'openai', baseURL, apiKey: 'key', includeUsage: true }).chatModel(MODEL);
  const service = { name: 'openai', baseUrl: baseURL, key: 'key', fetch: serviceFetch(baseURL) };
  const target = { provider: 'openai', modelId: MODEL, retries: 0, timeoutMs: 60_000, clock: new SystemClock(), hint: '' };
  const chat = new ServiceChatModel(target, completionsApi(service));
  const grounding = { agentName: 'Bench', facts: [], examples: [], memories: [] };
  const question = { messages: [{ role: 'user', content: prompt[0].content[0].text }], grounding };
  const ours = async () => {
    for await (const event of chat.stream(question, { signal: new AbortController().signal })) if (event.type === 'error') throw event;
  };
  const body = JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: prompt[0].content[0].text }] });
  const ways = {
    'the request alone': async () => {
      const answer = await request(`${baseURL}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await answer.body.text();
    },
    'the AI SDK alone': () => read(alone),
    Parley: ours,
  };
  const costs = {};
  for (let round = 0; round < workshop.times(ROUNDS); round++) {
    for (const [name, call] of Object.entries(ways)) (costs[name] ??= []).push(await cost(call, workshop.smoke ? CALLERS : CALLS));
  }
  const floor = median(costs['the AI SDK alone']);
  return Object.entries(costs).map(([name, each]) => ({
    name: `model call, ${name}`,
    measured: median(each),
    unit: ' ms',
    more: name === 'Parley' ? `${(median(each) / floor).toFixed(2)} of the SDK alone` : '',
  }));
}

async function cost(call, calls) {
  let left = calls;
  const before = process.cpuUsage();
  const caller = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
}
