// Anthropic's client.
import Anthropic from '@anthropic-ai/sdk';
import { runCases } from '../support/cases.mjs';
import { KEY, startScriptedServer } from '../support/scripted-server.mjs';
import { connection } from './connection.mjs';
import { messages } from './messages.mjs';
import { tools } from './tools.mjs';

const server = await startScriptedServer();
const connect = (options = {}) => new Anthropic({ baseURL: server.url, apiKey: KEY, ...options });
await runCases({ messages, tools, connection }, { server, connect, client: connect() });
