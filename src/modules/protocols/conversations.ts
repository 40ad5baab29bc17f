import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { OwnershipResolver, type Caller } from '../../core/http/index.js';
import { idForAgent, InstallationIds, isUuid } from '../../core/ids/index.js';
import { SESSION_CHANNEL } from '../access/index.js';
import { ChannelsService, MessagesService, type Channel, type Message } from '../messaging/index.js';
import { CallerTools, readCallId } from '../turns/index.js';
import { callerKey, chainOf, isSameText } from './conversation-chain.js';
import type { ProtocolMessage, ProtocolRequest } from './protocol-request.js';
import { ProtocolRequestsRepository, type StoredRequest } from './protocol-requests.repository.js';

/** The newest messages that a branch begins with. */
const MAX_HISTORY = 2000;

/** Where the new message of a request belongs. */
export interface Place {
  /** Undefined for a new one. */
  readonly channel?: Channel;
  /** Id for a new channel that a name stands for. */
  readonly channelId?: string;
  /** The message that the conversation goes on from. */
  readonly follows?: string;
  /** The channel that a new one branches from. */
  readonly branchOf?: string;
  /** Stored messages that a branch begins with, before those of the request. */
  readonly history?: readonly Message[];
  /** Number of leading messages that the conversation has already, or that a new one begins with. */
  readonly known: number;
  /** Hashes of the messages (`chainOf`). */
  readonly chain: readonly string[];
}

/** Finds the conversation that a request goes on with: the one that it names, else the one whose messages it repeats (docs/decisions/0067). */
@Injectable()
export class ProtocolConversations {
  constructor(
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly callers: CallerTools,
    private readonly requests: ProtocolRequestsRepository,
    private readonly owners: OwnershipResolver,
    private readonly ids: InstallationIds,
  ) {}

  /** @throws AppError CHANNEL_NOT_FOUND for a named conversation, or a message to go on from, that the caller may not use */
  async placeOf(request: ProtocolRequest): Promise<Place> {
    const { messages, conversation, continues } = request;
    const chain = chainOf(this.ids, request, messages);
    if (continues !== undefined) return { known: 0, chain, ...(await this.behind(request, continues)) };
    const seen = request.isWhole && conversation !== undefined ? lastInputAt(messages) : newInputAt(messages);
    const known = request.addsOnly ? 0 : seen;
    if (conversation !== undefined) return { known, chain, ...(await this.named(request, conversation)) };
    const asked = messages.findLastIndex(({ role }, index) => index < known && role === 'user');
    if (asked === -1) return { known, chain };
    const alike = await this.requests.ofChain(chain[asked]!);
    const told = messages.slice(asked + 1, known);
    const answered = (await Promise.all(alike.map(async (each) => ((await this.isAnswer(each, request, told)) ? [each] : [])))).flat();
    const [only, ...others] = answered;
    const channel =
      only && others.length === 0 && (await this.isHead(only, request)) ? await this.channels.find(only.channelId) : undefined;
    if (only && channel) return { known, chain, channel, follows: only.messageId };
    const branchOf = (only ?? alike[0])?.channelId;
    return { known, chain, ...(branchOf !== undefined && { branchOf }) };
  }

  /** Whether a message came from a caller that names the same user. */
  async isOfCaller(who: Pick<ProtocolRequest, 'caller' | 'user' | 'agent'>, messageId: string): Promise<boolean> {
    const known = await this.requests.find(messageId);
    return known?.caller === callerKey(this.ids, who) && (await this.isOwn(who, known.channelId));
  }

  /** The channel of a name or id, if the caller may use it; undefined when there is none. @throws AppError CHANNEL_NOT_FOUND */
  async find(request: Pick<ProtocolRequest, 'caller' | 'user' | 'agent'>, name: string): Promise<Channel | undefined> {
    const byId = isUuid(name) ? await this.byId(name) : undefined;
    const channel = byId ?? (await this.channels.find(this.idOf(request, name)));
    if (channel) await this.assertUsable(request, channel);
    return channel;
  }

  /**
   * The channel of an id, of a channel or a session, whose messages the caller may read; undefined for all others. A user loses the channel
   * of a session that is over.
   */
  async readable(caller: Caller, id: string): Promise<Channel | undefined> {
    const channel = await this.byId(id);
    if (!channel || !(await this.mayRead(caller, channel))) return undefined;
    if (caller.user === undefined) return channel;
    const session = (await this.owners.resolve(SESSION_CHANNEL, channel.id))?.session;
    return session?.expiredAt === undefined ? channel : undefined;
  }

  /** Whether the caller of a message is that of a request. */
  async isOwn(request: Pick<ProtocolRequest, 'caller' | 'user' | 'agent'>, channelId: string): Promise<boolean> {
    const channel = await this.channels.find(channelId);
    return channel !== undefined && (await this.mayUse(request, channel));
  }

  /** Behind the reply to a message: the end of its conversation, or a branch with what was said until then. */
  private async behind(request: ProtocolRequest, messageId: string): Promise<Pick<Place, 'channel' | 'follows' | 'branchOf' | 'history'>> {
    const known = await this.requests.find(messageId);
    const message = known && (await this.messages.find(messageId));
    const channel = message && (await this.channels.find(message.channelId));
    if (!channel || !(await this.isOfCaller(request, messageId))) {
      throw new AppError(
        'CHANNEL_NOT_FOUND',
        'There is no such message to go on from.',
        'It may have been deleted. Send the conversation.',
      );
    }
    if (await this.isHead(known, request)) return { channel, follows: messageId };
    const reply = await this.messages.find(idForAgent(request.agent.id, `reply:${messageId}`));
    const until = (reply ?? message).seq;
    const told = await this.messages.transcript(channel.id, 0, message.seq, MAX_HISTORY);
    return { branchOf: channel.id, history: told.filter(({ seq }) => seq <= until) };
  }

  private async named(request: ProtocolRequest, name: string): Promise<Partial<Place>> {
    const channel = await this.find(request, name);
    return channel ? { channel } : { channelId: this.idOf(request, name) };
  }

  private idOf({ caller, user, agent }: Pick<ProtocolRequest, 'caller' | 'user' | 'agent'>, name: string): string {
    return this.ids.of('named conversation', [caller.id, user ?? '', agent.id, name]);
  }

  private async byId(id: string): Promise<Channel | undefined> {
    const session = (await this.owners.resolve('sessionId', id))?.session;
    return this.channels.find(session?.channelId ?? id.toLowerCase());
  }

  private async assertUsable(request: Pick<ProtocolRequest, 'caller' | 'user' | 'agent'>, channel: Channel): Promise<void> {
    if (await this.mayUse(request, channel)) return;
    throw new AppError('CHANNEL_NOT_FOUND', 'There is no such conversation with this agent.', 'Leave its name out to begin a new one.');
  }

  private async mayUse({ caller, agent }: Pick<ProtocolRequest, 'caller' | 'agent'>, channel: Channel): Promise<boolean> {
    return channel.participants.some(({ entityId }) => entityId === agent.id) && (await this.mayRead(caller, channel));
  }

  /** A user has access to its own conversations, a limited key to those of its agents. */
  private async mayRead(caller: Caller, channel: Channel): Promise<boolean> {
    const owned = await this.owners.resolve('channelId', channel.id);
    const agents = owned?.agents ?? [];
    if (caller.agents && (agents.length === 0 || agents.some((id) => !caller.agents?.has(id.toLowerCase())))) return false;
    if (caller.user === undefined) return true;
    const session = (await this.owners.resolve(SESSION_CHANNEL, channel.id))?.session;
    return owned?.directUser === caller.user.id || session?.userId === caller.user.id;
  }

  /** Whether the messages behind a message are the reply to it, as its caller was told. */
  private async isAnswer({ messageId }: StoredRequest, { agent }: ProtocolRequest, told: readonly ProtocolMessage[]): Promise<boolean> {
    const last = told.at(-1);
    if (last?.role !== 'assistant' || (last.calls ?? []).length > 0) return false;
    const before = told.slice(0, -1);
    const key = { messageId, agentId: agent.id };
    if (before.length > 0 && !(await this.isToolRound(key, before))) return false;
    const reply = await this.messages.find(idForAgent(agent.id, `reply:${messageId}`));
    if (reply && isSameText(reply.content, last.text)) return true;
    return isSameText((await this.callers.toldTexts(key)).join('\n\n'), last.text);
  }

  /** Whether messages are the calls that the caller got in a turn, and the results that it gave. */
  private async isToolRound(key: { messageId: string; agentId: string }, told: readonly ProtocolMessage[]): Promise<boolean> {
    const results = await this.callers.resultsOf(key);
    const sent = told.filter((message) => message.role === 'tool');
    const calls = told.flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []) : []));
    return (
      told.every(({ role }) => role !== 'user') &&
      sent.length === results.size &&
      sent.every(({ callId, text }) => results.get(callId)?.text === text) &&
      calls.length === results.size &&
      calls.every(({ id }) => readCallId(id)?.messageId === key.messageId && results.has(id))
    );
  }

  /** Whether nothing follows the reply to a message in its channel. */
  private async isHead({ messageId, channelId }: StoredRequest, { agent }: ProtocolRequest): Promise<boolean> {
    const { messages } = await this.messages.history(channelId, { limit: 1 });
    const newest = messages[0];
    return newest !== undefined && (newest.id === messageId || newest.id === idForAgent(agent.id, `reply:${messageId}`));
  }
}

/** Position of the last message of the user; 0 when there is none. */
export function lastInputAt(messages: readonly ProtocolMessage[]): number {
  return Math.max(
    messages.findLastIndex(({ role }) => role === 'user'),
    0,
  );
}

/** Position of the first of the user's messages behind everything else that was said. */
function newInputAt(messages: readonly ProtocolMessage[]): number {
  let at = lastInputAt(messages);
  while (messages[at - 1]?.role === 'user') at -= 1;
  return at;
}
