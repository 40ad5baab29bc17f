// The cases of each version of OpenAI's client, which its suite passes in: `{ OpenAI, toFile, zodFunction, zodResponseFormat, zodTextFormat, z }`.
import { runCases } from '../cases.mjs';
import { KEY, startScriptedServer } from '../scripted-server.mjs';
import { chat } from './chat.mjs';
import { connection } from './connection.mjs';
import { conversations } from './conversations.mjs';
import { others } from './others.mjs';
import { responses } from './responses.mjs';

export async function runOpenAiSuite(library) {
  const server = await startScriptedServer();
  const connect = (options = {}) => new library.OpenAI({ baseURL: `${server.url}/v1`, apiKey: KEY, ...options });
  const groups = { 'models and media': others, chat, connection, responses, conversations };
  await runCases(groups, { ...library, server, connect, client: connect() });
}
