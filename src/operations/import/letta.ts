import {
  instantOf,
  isObject,
  label,
  listOf,
  objectOf,
  trimmed,
  type Fields,
  type ForeignAgent,
  type ForeignMessage,
  type Reporter,
} from './foreign.js';

const ORIGIN = 'letta';
/** JSON of what is kept of a tool, characters. */
const MAX_SOURCE = 50_000;
const MAX_TOOLS = 200;
/** Tools of every agent of Letta, which are a part of its memory. */
const OWN_TOOLS = /^(?:send_message|core_memory_|archival_memory_|conversation_search|memory(?:_|$)|recall_memory)/;

/** Whether a value is an agent file of Letta: of one agent, or of several with their blocks beside them. */
export function isLettaFile(value: unknown): value is Fields {
  if (!isObject(value)) return false;
  if (Array.isArray(value['agents'])) {
    return Array.isArray(value['blocks']) || value['agents'].some((agent) => isObject(agent) && 'messages' in agent);
  }
  return Array.isArray(value['core_memory']) || (Array.isArray(value['messages']) && ('agent_type' in value || 'llm_config' in value));
}

/** The agents of an agent file with their messages. Tools and servers of tools are named, and their source is kept, but nothing runs. */
export function lettaAgents(file: Fields, report: Reporter): ForeignAgent[] {
  for (const server of listOf(file['mcp_servers'])) report.switchOff(`Letta: the MCP server ${label(objectOf(server)['server_name'])}`);
  for (const each of listOf(file['files'])) {
    report.leave(`Letta: the file ${label(objectOf(each)['file_name'])}; add it to the agent as a document`);
  }
  report.leave('Letta: groups of agents', listOf(file['groups']).length);
  const agents = Array.isArray(file['agents']) ? (file['agents'] as unknown[]) : [file];
  return agents.filter(isObject).map((agent) => agentOf(agent, file, report));
}

function agentOf(agent: Fields, file: Fields, report: Reporter): ForeignAgent {
  const name = trimmed(agent['name']);
  const blocks = [...listOf(agent['core_memory']), ...listOf(agent['memory_blocks']), ...byIds(agent['block_ids'], file['blocks'])].map(
    objectOf,
  );
  const persona = blocks.filter(({ label: kind }) => kind === 'persona').map(({ value }) => trimmed(value));
  const facts = blocks.filter(({ label: kind, value }) => kind !== 'persona' && trimmed(value) !== '');
  const description = trimmed(agent['description']);
  const tools = toolsOf(agent, file, label(name), report);
  if (isObject(agent['llm_config'])) {
    report.note(`${label(name)} used the model ${label(agent['llm_config']['model'], 'unknown')}; it uses the model of this server now.`);
  }
  const variables = environmentOf(agent);
  if (variables.length > 0) report.switchOff(`${label(name)}: the variables of its tools: ${variables.join(', ')}`);
  const messages = messagesOf(agent, report);
  const id = `${trimmed(agent['id'])} ${name} ${String(messages[0]?.at ?? '')}`;
  return {
    format: 'agent file of Letta',
    character: {
      name,
      bio: [...persona, description].filter((part) => part !== ''),
      ...(trimmed(agent['system']) !== '' && { system: trimmed(agent['system']) }),
      ...(facts.length > 0 && { knowledge: facts.map(({ label: kind, value }) => `${label(kind, 'note')}: ${trimmed(value)}`) }),
      settings: {
        imported: { format: 'agent file of Letta', tags: listOf(agent['tags']).filter((tag) => typeof tag === 'string'), tools },
      },
    },
    ...(messages.length > 0 && { conversation: { origin: ORIGIN, id, title: label(name), at: messages[0]?.at ?? null, messages } }),
  };
}

function byIds(ids: unknown, all: unknown): unknown[] {
  const wanted = new Set(listOf(ids));
  return listOf(all).filter((each) => isObject(each) && wanted.has(each['id']));
}

function environmentOf(agent: Fields): string[] {
  const variables = agent['tool_exec_environment_variables'];
  return Array.isArray(variables)
    ? variables.map((each) => label(objectOf(each)['key']))
    : Object.keys(objectOf(variables)).map((key) => label(key));
}

function toolsOf(agent: Fields, file: Fields, name: string, report: Reporter): object[] {
  const tools = [...listOf(agent['tools']), ...byIds(agent['tool_ids'], file['tools'])].filter(isObject);
  const foreign = tools.filter((tool) => !OWN_TOOLS.test(trimmed(tool['name'])));
  for (const tool of foreign) report.switchOff(`${name}: the tool ${label(tool['name'])}`);
  return foreign.slice(0, MAX_TOOLS).map((tool) => {
    const source = trimmed(tool['source_code']);
    const isShort = source.length <= MAX_SOURCE;
    if (!isShort) report.leave(`${name}: the source of the tool ${label(tool['name'])}, which is longer than ${MAX_SOURCE} characters`);
    return { name: label(tool['name']), description: trimmed(tool['description']), ...(source !== '' && isShort && { source }) };
  });
}

function messagesOf(agent: Fields, report: Reporter): ForeignMessage[] {
  const all = listOf(agent['messages']).filter(isObject);
  // Such agents speak with a tool; their plain text is a thought.
  const speaksByTool = all.some((message) => spokenIn(message).length > 0);
  return all.flatMap((message, index) => {
    const id = trimmed(message['id']) || `${index}`;
    const at = instantOf(message['created_at']);
    const role = message['role'];
    if (role === 'user') return userMessage(textOf(message), { id, at }, report);
    if (role !== 'assistant') {
      report.leave(role === 'tool' ? 'Letta: results of tools' : 'Letta: messages of the system');
      return [];
    }
    const said = speaksByTool ? spokenIn(message) : [textOf(message)];
    const texts = said.filter((text) => text !== '');
    if (texts.length === 0) report.leave('Letta: thoughts and calls of tools');
    return texts.map((text, part) => ({ id: part === 0 ? id : `${id} ${part}`, isAgent: true, text, at }));
  });
}

/** Letta wraps what a user says in JSON, beside events of its own. */
function userMessage(text: string, { id, at }: Pick<ForeignMessage, 'id' | 'at'>, report: Reporter): ForeignMessage[] {
  const packed = packedIn(text);
  if (packed !== undefined && packed['type'] !== 'user_message') {
    report.leave('Letta: events for the agent');
    return [];
  }
  const said = packed === undefined ? text : trimmed(packed['message']);
  if (said === '') report.leave('Letta: messages without text');
  return said === '' ? [] : [{ id, isAgent: false, text: said, at }];
}

function packedIn(text: string): Fields | undefined {
  if (!text.startsWith('{') || !text.includes('"type"')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && typeof value['type'] === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(message: Fields): string {
  const { content, text } = message;
  if (typeof content === 'string') return trimmed(content);
  const texts = listOf(content).map((part) =>
    typeof part === 'string' ? part : objectOf(part)['type'] === 'text' ? trimmed(objectOf(part)['text']) : '',
  );
  return texts.filter((each) => each !== '').join('\n') || trimmed(text);
}

/** What a message says with the tool `send_message`. */
function spokenIn(message: Fields): string[] {
  return listOf(message['tool_calls']).flatMap((call) => {
    const { name, arguments: given } = objectOf(objectOf(call)['function']);
    if (name !== 'send_message' || typeof given !== 'string') return [];
    try {
      return [trimmed(objectOf(JSON.parse(given))['message'])];
    } catch {
      return [];
    }
  });
}
