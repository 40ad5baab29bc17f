import { Allow, IsString } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { IfPresent, IsCount, IsFilledText, IsJsonObject, readyJson } from '../../core/http/index.js';
import { masked } from '../../core/secrets/index.js';
import { maskSettings } from './agent-changes.js';
import { byStatusAndName, type Agent, type AgentSortKey, type SecretNames } from './agents.service.js';

const MAX_CHARACTER_LENGTH = 10_000_000;
const MAX_PATH_LENGTH = 1000;
const MAX_PAGE_SIZE = 1000;

/** Query of `GET /api/agents`. */
export class ListAgentsQuery {
  /** Page size, up to 1000; all agents when absent. */
  @IfPresent()
  @IsCount(MAX_PAGE_SIZE)
  limit?: string;

  /** `nextCursor` of the previous page; stays valid when agents are deleted. */
  @IfPresent()
  @IsString()
  after?: string;
}

/** Body of `POST /api/agents`: one of the fields; the first present one is used. */
export class CreateAgentBody {
  /** A character, in the fields of a character file. @example {"name":"Ada","bio":"I am Ada."} */
  @IfPresent()
  @IsJsonObject(MAX_CHARACTER_LENGTH)
  characterJson?: Record<string, unknown>;

  /** Path of a .json file below the characters folder. */
  @IfPresent()
  @IsFilledText(MAX_PATH_LENGTH)
  characterPath?: string;

  /** The same as `characterJson`. @example {"name":"Ada","bio":"I am Ada."} */
  @IfPresent()
  @IsJsonObject(MAX_CHARACTER_LENGTH)
  agent?: Record<string, unknown>;
}

/**
 * Body of `PATCH /api/agents/{agentId}`. A field replaces the stored one, null removes it; `settings` and `secrets` are merged deeply. A
 * mask in place of a secret keeps the secret. Changing the address of one of the agent's own services, such as
 * `settings.OPENAI_BASE_URL`, requires the service's key.
 */
export class UpdateAgentBody {
  @Allow()
  name?: string;

  @Allow()
  username?: string | null;

  /** System prompt. */
  @Allow()
  system?: string | null;

  /** Texts by name, such as `replyTemplate`. */
  @Allow()
  templates?: Record<string, unknown> | null;

  /** Text, or a list of texts. */
  @Allow()
  bio?: string | string[];

  /** Text, or a list of texts. */
  @Allow()
  lore?: string | string[] | null;

  /** Conversations, each a list of `{ name, content }`. @example [[{"name":"Ada","content":{"text":"Hello."}}]] */
  @Allow()
  messageExamples?: Record<string, unknown>[][] | null;

  @Allow()
  postExamples?: string[] | null;

  @Allow()
  topics?: string[] | null;

  @Allow()
  adjectives?: string[] | null;

  /** Facts, and documents below the characters folder. */
  @Allow()
  knowledge?: (string | Record<string, unknown>)[] | null;

  /** Names of plugins. */
  @Allow()
  plugins?: string[] | null;

  @Allow()
  settings?: Record<string, unknown> | null;

  @Allow()
  secrets?: Record<string, unknown> | null;

  /** Lists of texts under `all`, `chat` and `post`. */
  @Allow()
  style?: Record<string, unknown> | null;
}

/** An agent in a listing. */
export class AgentEntry {
  /** @format uuid */
  id!: string;
  name!: string;
  /** The same as `name`, under the name that elizaOS clients read. */
  characterName!: string;
  username?: string;
  /** First entry of the character's bio. */
  bio!: string;
  topics!: string[];
  status!: 'active' | 'inactive';
  /** Epoch ms. */
  createdAt!: number;
  /** Epoch ms. */
  updatedAt!: number;
}

export class AgentsView {
  /** Active agents first, then by name. */
  agents!: AgentEntry[];
  /** With a `limit`: the `after` of the next page; null on the last. */
  nextCursor?: string | null;
}

/** An agent with its character. Values of secrets are masked. */
export class AgentView {
  /** @format uuid */
  id!: string;
  name!: string;
  /** The same as `name`. */
  characterName!: string;
  username?: string;
  /** System prompt. */
  system?: string;
  /** Texts by name. */
  templates?: Record<string, unknown>;
  /** Text, or a list of texts. */
  bio!: string | string[];
  /** Text, or a list of texts. */
  lore?: string | string[];
  /** Conversations, each a list of `{ name, content }`. */
  messageExamples!: Record<string, unknown>[][];
  postExamples!: string[];
  topics!: string[];
  adjectives!: string[];
  /** Facts, and documents below the characters folder. */
  knowledge!: (string | Record<string, unknown>)[];
  /** Names of plugins. */
  plugins!: string[];
  /** Values that look like secrets are masked; `settings.secrets` has the names of secrets with masked values. */
  settings!: Record<string, unknown>;
  /** Names of secrets, with masked values. */
  secrets!: Record<string, unknown>;
  /** Lists of texts under `all`, `chat` and `post`. */
  style!: Record<string, unknown>;
  status!: 'active' | 'inactive';
  /** Whether the agent is active. */
  enabled!: boolean;
  /** Epoch ms. */
  createdAt!: number;
  /** Epoch ms. */
  updatedAt!: number;
}

export class CreatedAgentView extends AgentView {
  /** The character alone, in the fields of a character file; secrets are masked. */
  character!: Record<string, unknown>;
}

export class AgentStatusView {
  /** @format uuid */
  id!: string;
  name!: string;
  status!: 'active' | 'inactive';
}

export class StoppedAgentView extends AgentStatusView {
  message!: string;
}

// The service returns the same array until an agent changes.
const ready = new WeakMap<readonly Agent[], AgentsView>();

export function presentAgents(agents: readonly Agent[]): AgentsView {
  return { agents: agents.map(agentEntry) };
}

/** The response with all agents, as text that is made once for each array. */
export function readyAgents(agents: readonly Agent[]): AgentsView {
  const known = ready.get(agents);
  if (known) return known;
  const response = readyJson<AgentsView>(Buffer.from(JSON.stringify({ success: true, data: presentAgents(agents) })));
  ready.set(agents, response);
  return response;
}

/** @throws AppError VALIDATION_ERROR for an invalid cursor */
export function presentPage(agents: readonly Agent[], { limit, after }: ListAgentsQuery): AgentsView {
  if (limit === undefined && after === undefined) return readyAgents(agents);
  const size = Number(limit ?? MAX_PAGE_SIZE);
  const start = after === undefined ? 0 : indexAfter(agents, parseCursor(after));
  const page = agents.slice(start, start + size);
  const last = start + size < agents.length ? page.at(-1) : undefined;
  return { agents: page.map(agentEntry), nextCursor: last ? cursorOf(last) : null };
}

function cursorOf({ status, name, id }: AgentSortKey): string {
  return Buffer.from(JSON.stringify([status, name, id])).toString('base64url');
}

/** @throws AppError VALIDATION_ERROR */
function parseCursor(after: string): AgentSortKey {
  const [, status, name, id] =
    /^\["(active|inactive)",("(?:[^"\\]|\\.)*"),"([0-9a-f-]{36})"\]$/.exec(Buffer.from(after, 'base64url').toString()) ?? [];
  if (status && name && id) return { status: status as AgentSortKey['status'], name: JSON.parse(name) as string, id };
  throw new AppError(
    'VALIDATION_ERROR',
    'after is not a cursor of this list',
    'Send the nextCursor of an earlier page, or omit it for the first page.',
  );
}

/** The index of the first agent after a sort key, by binary search. */
function indexAfter(agents: readonly Agent[], place: AgentSortKey): number {
  let [low, high] = [0, agents.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byStatusAndName(agents[middle]!, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function presentAgent(agent: Agent, secrets: SecretNames): AgentView {
  const { id, name, status, createdAt, updatedAt } = agent;
  return {
    ...characterView(agent, secrets),
    id,
    name,
    characterName: name,
    status,
    enabled: status === 'active',
    createdAt,
    updatedAt,
  };
}

export function presentCreated(agent: Agent, secrets: SecretNames): CreatedAgentView {
  return { ...presentAgent(agent, secrets), character: { ...characterView(agent, secrets), id: agent.id, name: agent.name } };
}

export function presentStatus({ id, name, status }: Agent): AgentStatusView {
  return { id, name, status };
}

/** @throws AppError VALIDATION_ERROR when the body has no character */
export function characterSource({ characterJson, characterPath, agent }: CreateAgentBody): { character: unknown } | { path: string } {
  if (characterJson !== undefined) return { character: characterJson };
  if (characterPath !== undefined) return { path: characterPath };
  if (agent !== undefined) return { character: agent };
  throw new AppError('VALIDATION_ERROR', 'characterJson is missing', 'Send a character as characterJson (or agent), or characterPath.');
}

function characterView(
  { character }: Agent,
  secrets: SecretNames,
): Omit<AgentView, keyof AgentStatusView | 'characterName' | 'enabled' | 'createdAt' | 'updatedAt'> {
  const { username, system, templates, bio, lore, messageExamples, postExamples, topics, adjectives, knowledge, plugins, settings, style } =
    character;
  return {
    username,
    system,
    templates,
    bio,
    lore,
    messageExamples: messageExamples ?? [],
    postExamples: postExamples ?? [],
    topics: topics ?? [],
    adjectives: adjectives ?? [],
    knowledge: knowledge ?? [],
    plugins: plugins ?? [],
    settings: { ...maskSettings(settings ?? {}), ...(secrets.settings.length > 0 ? { secrets: masked(secrets.settings) } : {}) },
    secrets: masked(secrets.own),
    style: style ?? {},
  };
}

function agentEntry({ id, name, status, character, createdAt, updatedAt }: Agent): AgentEntry {
  const { bio, username, topics = [] } = character;
  const firstBio = typeof bio === 'string' ? bio : (bio[0] ?? '');
  return { id, name, characterName: name, username, bio: firstBio, topics, status, createdAt, updatedAt };
}
