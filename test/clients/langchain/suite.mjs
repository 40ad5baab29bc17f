// The chat models and embeddings of LangChain, over the protocols of OpenAI and Anthropic.
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { runCases } from '../support/cases.mjs';
import { KEY, startScriptedServer } from '../support/scripted-server.mjs';
import { models } from './models.mjs';
import { others } from './others.mjs';

const server = await startScriptedServer();
const openai = (options = {}) => new ChatOpenAI({ model: 'Ada', apiKey: KEY, configuration: { baseURL: `${server.url}/v1` }, ...options });
const anthropic = (options = {}) =>
  new ChatAnthropic({ model: 'Ada', apiKey: KEY, anthropicApiUrl: server.url, maxTokens: 100, ...options });
const connections = {
  'chat completions': openai,
  responses: (options) => openai({ useResponsesApi: true, ...options }),
  messages: anthropic,
};

/** What each of the models does. */
const groups = Object.entries(connections).map(([name, connect]) => [
  name,
  Object.fromEntries(Object.entries(models).map(([title, run]) => [title, () => run({ server, connect })])),
]);
await runCases({ ...Object.fromEntries(groups), others }, { server, openai });
