import { Allow, IsString } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { IfPresent, IsCount, IsFilledText, IsJsonObject } from '../../core/http/index.js';
import { masked } from '../../core/secrets/index.js';
import { shownSettings } from './agent-changes.js';
import { byStatusAndName, type Agent, type AgentPlace, type SecretNames } from './agents.service.js';

const LONGEST_CHARACTER = 10_000_000;
const LONGEST_PATH = 1000;
const LARGEST_PAGE = 1000;

/** Query of `GET /api/agents`. */
export class ListAgentsQuery {
  /** How many agents at most, up to 1000; all when absent. */
  @IfPresent()
  @IsCount(LARGEST_PAGE)
  limit?: string;

  /** Goes on behind a page: its `nextCursor`, which holds also when the agent that stood there is gone. */
  @IfPresent()
  @IsString()
  after?: string;
}

/** Body of `POST /api/agents`: one of the three; the first that is there counts. */
export class CreateAgentBody {
  /** A character, in the fields of a character file. @example {"name":"Ada","bio":"I am Ada."} */
  @IfPresent()
  @IsJsonObject(LONGEST_CHARACTER)
  characterJson?: Record<string, unknown>;

  /** Path of a .json file below the characters folder. */
  @IfPresent()
  @IsFilledText(LONGEST_PATH)
  characterPath?: string;

  /** The same as `characterJson`. @example {"name":"Ada","bio":"I am Ada."} */
  @IfPresent()
  @IsJsonObject(LONGEST_CHARACTER)
  agent?: Record<string, unknown>;
}

/**
 * Body of `PATCH /api/agents/{agentId}`: what is to change. A field replaces, null takes it away; `settings` and `secrets` are
 * merged, key by key and at every depth. A mask in the place of a secret leaves that secret as it is. A new address of a service of the
 * agent's own, such as `settings.OPENAI_BASE_URL`, is refused unless the service's key comes with it.
 */
export class UpdateAgentBody {
  @Allow()
  name?: string;

  @Allow()
  username?: string | null;

  /** System prompt. */
  @Allow()
  system?: string | null;

  /** Texts by name, as `replyTemplate`. */
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
  /** The running ones first, then by name. */
  agents!: AgentEntry[];
  /** With a `limit`: the `after` of the next page; null on the last. */
  nextCursor?: string | null;
}

/** An agent with all that may be shown of its character. Secrets are names with a mask. */
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
  /** What looks like a secret is masked; `settings.secrets` has the names of secrets with a mask. */
  settings!: Record<string, unknown>;
  /** Names of secrets, with a mask. */
  secrets!: Record<string, unknown>;
  /** Lists of texts under `all`, `chat` and `post`. */
  style!: Record<string, unknown>;
  status!: 'active' | 'inactive';
  /** Whether it is active. */
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

// The service hands out the same array until an agent changes.
const presented = new WeakMap<readonly Agent[], AgentsView>();

export function presentAgents(agents: readonly Agent[]): AgentsView {
  const known = presented.get(agents);
  if (known) return known;
  const response = { agents: agents.map(agentEntry) };
  presented.set(agents, response);
  return response;
}

/** @throws AppError VALIDATION_ERROR for a cursor that is no agent's */
export function presentPage(agents: readonly Agent[], { limit, after }: ListAgentsQuery): AgentsView {
  if (limit === undefined && after === undefined) return presentAgents(agents);
  const size = Number(limit ?? LARGEST_PAGE);
  const start = after === undefined ? 0 : firstBehind(agents, placeOf(after));
  const page = agents.slice(start, start + size);
  const last = start + size < agents.length ? page.at(-1) : undefined;
  return { agents: page.map(agentEntry), nextCursor: last ? cursorOf(last) : null };
}

function cursorOf({ status, name, id }: AgentPlace): string {
  return Buffer.from(JSON.stringify([status, name, id])).toString('base64url');
}

/** @throws AppError VALIDATION_ERROR */
function placeOf(after: string): AgentPlace {
  const [, status, name, id] =
    /^\["(active|inactive)",("(?:[^"\\]|\\.)*"),"([0-9a-f-]{36})"\]$/.exec(Buffer.from(after, 'base64url').toString()) ?? [];
  if (status && name && id) return { status: status as AgentPlace['status'], name: JSON.parse(name) as string, id };
  throw new AppError('VALIDATION_ERROR', 'after is no cursor of this list', 'Send the nextCursor of an earlier page, or begin without it.');
}

/** The index of the first agent behind a place, out of agents in their order. */
function firstBehind(agents: readonly Agent[], place: AgentPlace): number {
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

/** @throws AppError VALIDATION_ERROR when there is no character in the body */
export function sourceOf({ characterJson, characterPath, agent }: CreateAgentBody): { character: unknown } | { path: string } {
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
    settings: { ...shownSettings(settings ?? {}), ...(secrets.settings.length > 0 ? { secrets: masked(secrets.settings) } : {}) },
    secrets: masked(secrets.own),
    style: style ?? {},
  };
}

function agentEntry({ id, name, status, character, createdAt, updatedAt }: Agent): AgentEntry {
  const { bio, username, topics = [] } = character;
  const firstBio = typeof bio === 'string' ? bio : (bio[0] ?? '');
  return { id, name, characterName: name, username, bio: firstBio, topics, status, createdAt, updatedAt };
}
