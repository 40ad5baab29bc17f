// The hook of the AI SDK in a rendered page, and its providers for the protocols of OpenAI and Anthropic.
import { runCases } from '../support/cases.mjs';
import { startScriptedServer } from '../support/scripted-server.mjs';
import { chats } from './chats.mjs';
import { Pages } from './page.mjs';
import { providers } from './providers.mjs';
import { reloads } from './reloads.mjs';
import { toolsOfThePage } from './tools.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;
const server = await startScriptedServer();
const pages = new Pages(`${server.url}/api/agents`);
await runCases(
  { useChat: chats, 'tools of the page': toolsOfThePage, 'a page that is loaded again': reloads, providers },
  { server, pages },
);
