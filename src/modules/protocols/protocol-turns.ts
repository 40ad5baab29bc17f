import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isUniqueViolation, type Statement } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { idForAgent, InstallationIds, newId } from '../../core/ids/index.js';
import { cursorBehind } from '../../core/journal/index.js';
import { ModelRegistry } from '../../providers/models/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { MediaService } from '../media/index.js';
import {
  attachmentsOf,
  ChannelsService,
  MessagesService,
  Replies,
  type Channel,
  type Message,
  type PostResult,
} from '../messaging/index.js';
import { CallerTools, TurnRecords, TurnRequests, type CallerResult, type SentMessage, type TurnRequest } from '../turns/index.js';
import { lastInputAt, ProtocolConversations, type Place } from './conversations.js';
import { callerKey, hashOf, isSameText, ownerKey } from './conversation-chain.js';
import type { Exchange } from './exchange.js';
import type { ProtocolMessage, ProtocolRequest } from './protocol-request.js';
import { ProtocolRequestsRepository } from './protocol-requests.repository.js';
import { PROTOCOL_METRICS } from './protocols.metrics.js';
import { resentMessage, userOf } from './resent-message.js';

/** How long an equal request counts as the same one, for clients that say that they repeat it, ms. */
const RETRY_MS = 10 * 60_000;
/** Messages of one request. */
const MAX_MESSAGES = 2000;
/** Characters of the name of a conversation. */
const MAX_NAME = 255;
/** Conversations that two requests may compete for, one after the other. */
const MAX_PLACES = 3;

/** The files of a conversation, by position of their message. */
interface StoredFiles {
  /** Attachments of messages that are to be stored. */
  readonly attachments: ReadonlyMap<number, readonly Record<string, unknown>[]>;
  /** Messages that are stored. */
  readonly messageIds: ReadonlyMap<number, string>;
}

/** Turns for callers of protocols: finds the conversation, stores what is new in it, and lets the agent reply. */
@Injectable()
export class ProtocolTurns {
  constructor(
    private readonly conversations: ProtocolConversations,
    private readonly requests: ProtocolRequestsRepository,
    private readonly turnRequests: TurnRequests,
    private readonly callers: CallerTools,
    private readonly records: TurnRecords,
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly replies: Replies,
    private readonly media: MediaService,
    private readonly agents: AgentsService,
    private readonly models: ModelRegistry,
    private readonly ids: InstallationIds,
    private readonly clock: Clock,
  ) {}

  /** @param field as the protocol calls the format @throws AppError VALIDATION_ERROR for a format that the agent's model cannot hold */
  assertFormat(agent: Agent, { responseFormat }: TurnRequest['options'], field: string): void {
    const model = this.models.chat(this.agents.modelChoice(agent.id));
    if (responseFormat === undefined || model.supportsFormats) return;
    throw new AppError(
      'VALIDATION_ERROR',
      `${field} is not supported by the model of ${agent.name}, ${model.provider} (${model.modelId}).`,
      'Leave it out, or give the agent a language model (docs/guides/models.md).',
    );
  }

  /**
   * Begins a turn, goes on with one that waits for results of the caller, or joins the one of a repeated request.
   *
   * @param client aborts when the client disconnects; the turn continues
   * @throws AppError CHANNEL_NOT_FOUND for a conversation that the caller may not use, VALIDATION_ERROR, and what `MessagesService.post` throws
   */
  async begin(request: ProtocolRequest, client: AbortSignal): Promise<Exchange> {
    if (request.messages.length > MAX_MESSAGES) {
      throw new AppError(
        'VALIDATION_ERROR',
        `messages must have at most ${MAX_MESSAGES} elements`,
        'Name the conversation, and send only what is new.',
      );
    }
    if ((request.conversation?.length ?? 0) > MAX_NAME) {
      throw new AppError('VALIDATION_ERROR', `The name of the conversation must have at most ${MAX_NAME} characters.`);
    }
    const repeated = await this.repeated(request);
    if (repeated) return this.repeat(repeated, request, client);
    const results = resultsOf(request.messages);
    const given = results && (await this.give(results, request));
    if (given?.state === 'known') return this.repeat(given.message, request, client, { step: given.step });
    if (given?.state === 'resumed') {
      count(request, 'resumed');
      return this.follow(given.message, request, client, { offset: given.offset, step: given.step });
    }
    if (given && request.addsOnly) throw notAwaited();
    if (request.messages.some(({ role }) => role === 'user')) return this.post(request, client);
    throw new AppError(
      'VALIDATION_ERROR',
      'No reply of this conversation waits for what the messages have.',
      'Send a message of the user, or the whole conversation.',
    );
  }

  /** The message of an equal request, which this one repeats. */
  private async repeated(request: ProtocolRequest): Promise<Message | undefined> {
    const { createdId, isRetry } = request.repetition;
    if (createdId !== undefined) return this.created(createdId, request);
    const known = isRetry ? await this.requests.newest(this.bodyKey(request), this.clock.now() - RETRY_MS) : undefined;
    if (known === undefined) return undefined;
    // A client repeats what failed, so that it does not fail again.
    const turn = await this.records.find({ messageId: known.messageId, agentId: request.agent.id });
    return turn?.status === 'failed' ? undefined : this.messages.find(known.messageId);
  }

  /** The message of an earlier request with the same Idempotency-Key. @throws AppError IDEMPOTENCY_KEY_REUSED */
  private async created(id: string, request: ProtocolRequest): Promise<Message | undefined> {
    const known = await this.requests.find(id);
    if (known === undefined) return undefined;
    if (known.body === this.bodyKey(request)) return this.messages.find(id);
    throw new AppError('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for another request.', 'Send a new key with a new request.');
  }

  private async give(results: readonly CallerResult[], request: ProtocolRequest): ReturnType<CallerTools['give']> {
    const messageId = this.callers.messageOf(results);
    const known = messageId === undefined ? undefined : await this.requests.find(messageId);
    if (known?.caller !== callerKey(this.ids, request) || !(await this.conversations.isOwn(request, known.channelId))) {
      return { state: 'unknown' };
    }
    return this.callers.give(request.agent.id, results, { ...request.turn, forgets: known.forgets });
  }

  private async post(request: ProtocolRequest, client: AbortSignal): Promise<Exchange> {
    for (let attempt = 1; ; attempt++) {
      const place = await this.conversations.placeOf(request);
      if (request.isWhole && place.channel) await this.giveUp(place.channel, request);
      try {
        return await this.postAt(place, request, await this.filesOf(place, request), client);
      } catch (error) {
        const isRepeated = error instanceof AppError && error.code === 'MESSAGE_EXISTS';
        const repeated = isRepeated ? await this.repeated(request) : undefined;
        if (repeated) return this.repeat(repeated, request, client);
        // Another request has gone on from the same message, or has begun the conversation of this name.
        if (!isUniqueViolation(error) || attempt === MAX_PLACES) throw error;
      }
    }
  }

  /** Cancels the running reply to a message behind which the caller goes on without it: someone has stopped it. */
  private async giveUp({ id }: Channel, { agent, messages }: ProtocolRequest): Promise<void> {
    const running = await this.callers.runningMessageOf(id, agent.id);
    const isKnown = running && messages.some(({ role, text }) => role === 'user' && isSameText(text, running.content));
    if (isKnown) await this.replies.cancel(id, running.id);
  }

  private async postAt(place: Place, request: ProtocolRequest, files: StoredFiles, client: AbortSignal): Promise<Exchange> {
    const { agent, caller, protocol } = request;
    const channelId = place.channel?.id ?? place.channelId ?? newId();
    const authorId = userOf(this.ids, request, channelId);
    const opened = place.channel ? undefined : this.open(place, request, channelId, authorId);
    const channel = place.channel ?? opened!.channel;
    const id = request.repetition.createdId ?? newId();
    const last = lastInputAt(request.messages);
    const text = request.messages[last]?.text ?? '';
    const copied = this.copies(place, request, channel, files, authorId);
    const before = [...this.branched(place, request, channel, authorId), ...copied.statements];
    const now = this.clock.now();
    const post = (): Promise<PostResult> =>
      this.messages.postWith(
        {
          id,
          channelId: channel.id,
          authorId,
          authorKind: 'user',
          content: text,
          sourceType: protocol,
          vouched: caller.user !== undefined && request.isStored,
          metadata: {
            ...(request.metadata && { request: request.metadata }),
            protocol,
            targetAgentId: agent.id,
            ...(request.hearsReasoning && { reasoning: true }),
            ...(files.attachments.has(last) && { attachments: files.attachments.get(last) }),
          },
        },
        {
          ...(opened ? { opens: { ...opened, statements: [...opened.statements, ...before] } } : { first: before }),
          behind: () => [
            this.turnRequests.store(id, this.turnRequest(place, request, new Map([...copied.ids, [last, id]]), files), now),
            this.requests.insert({
              messageId: id,
              channelId: channel.id,
              follows: place.follows ?? newId(),
              caller: callerKey(this.ids, request),
              chain: place.chain[last] ?? place.chain.at(-1)!,
              body: this.bodyKey(request),
              forgets: !request.isStored,
              createdAt: now,
            }),
          ],
        },
      );
    const { posted, events, end } = await this.replies.begin(channel.id, post, { client });
    count(request, request.conversation !== undefined ? 'named' : place.channel ? 'continued' : place.branchOf ? 'branched' : 'new');
    const told = request.seesActions ? this.replies.detailed(events) : events;
    return { ...this.about(posted.message, agent.id, !request.isStored), from: {}, events: told, end };
  }

  /**
   * The reply to the newest message of a named conversation, from its beginning, if it has not ended.
   *
   * @param client aborts when the client disconnects; the turn continues
   * @throws AppError CHANNEL_NOT_FOUND for a conversation that the caller may not use
   */
  async running(
    request: Pick<ProtocolRequest, 'caller' | 'user' | 'agent' | 'seesActions'> & { readonly conversation: string },
    client: AbortSignal,
  ): Promise<Exchange | undefined> {
    const { agent } = request;
    const channel = await this.conversations.find(request, request.conversation);
    const message = channel && (await this.callers.unendedMessageOf(channel.id, agent.id));
    if (!message) return undefined;
    const results = await this.callers.resultsOf({ messageId: message.id, agentId: agent.id });
    return this.follow(message, { ...request, isStored: true }, client, { results });
  }

  private repeat(message: Message, request: ProtocolRequest, client: AbortSignal, from?: Exchange['from']): Promise<Exchange> {
    count(request, 'repeated');
    return this.follow(message, request, client, from);
  }

  /** Reads a turn that exists. */
  private async follow(
    message: Message,
    { agent, isStored, seesActions: withDetails = false }: Pick<ProtocolRequest, 'agent' | 'isStored' | 'seesActions'>,
    client: AbortSignal,
    from: Exchange['from'] = {},
  ): Promise<Exchange> {
    const known = isStored ? undefined : await this.requests.find(message.id);
    const about = { ...this.about(message, agent.id, known?.forgets === true), from, end: () => undefined };
    const past = await this.replies.past(message, { withDetails });
    const newest = past.at(-1);
    const after = newest && 'cursor' in newest ? newest.cursor : cursorBehind(message.offset - 1);
    return { ...about, past, events: this.replies.followToEnd(message, after, client, { withDetails }) };
  }

  private about(message: Message, agentId: string, forgets: boolean): Pick<Exchange, 'message' | 'agentId' | 'replyId' | 'forgets'> {
    return { message, agentId, replyId: idForAgent(agentId, `reply:${message.id}`), forgets };
  }

  private open(place: Place, request: ProtocolRequest, id: string, authorId: string): ReturnType<ChannelsService['prepareCreation']> {
    const { agent, caller, protocol } = request;
    return this.channels.prepareCreation({
      id,
      name: `${agent.name} (${protocol})`,
      type: 'DM',
      channelType: 'DM',
      metadata: {
        protocol,
        user1: authorId,
        user2: agent.id,
        ownedBy: ownerKey(this.ids, caller),
        ...(place.branchOf !== undefined && { branchOf: place.branchOf }),
        ...(!request.isStored && { forgets: true }),
      },
      participants: [authorId, agent.id],
      users: caller.user === undefined ? new Set() : new Set([caller.user.id]),
    });
  }

  /** What a branch begins with, as messages of its own. */
  private branched({ history = [] }: Place, { agent, protocol }: ProtocolRequest, channel: Channel, userId: string): Statement[] {
    return history.flatMap(({ authorKind, authorName, content: text, metadata }) => {
      const authorId = authorKind === 'user' ? userId : agent.id;
      const said = { authorId, authorKind, authorName, text, attachments: metadata['attachments'] };
      return this.messages.insertionStatements(this.messages.draft(resentMessage(channel.id, protocol, said), channel));
    });
  }

  /** The messages before the last one of the user that the conversation does not have yet, with their ids by position. */
  private copies(
    place: Place,
    { messages, agent, protocol }: ProtocolRequest,
    channel: Channel,
    { attachments }: StoredFiles,
    userId: string,
  ): { readonly statements: Statement[]; readonly ids: Map<number, string> } {
    const ids = new Map<number, string>();
    const statements = messages.slice(0, lastInputAt(messages)).flatMap((message, index) => {
      const isNew = place.channel === undefined || index >= place.known || attachments.has(index);
      if (!isNew || message.role === 'tool' || (message.text.trim() === '' && !attachments.has(index))) return [];
      const author =
        message.role === 'user'
          ? { authorId: userId, authorKind: 'user' as const }
          : { authorId: agent.id, authorKind: 'agent' as const, authorName: agent.name };
      const said = { ...author, text: message.text, attachments: attachments.get(index) };
      const draft = this.messages.draft(resentMessage(channel.id, protocol, said), channel);
      ids.set(index, draft.id);
      return this.messages.insertionStatements(draft);
    });
    return { statements, ids };
  }

  /** Stores the files of the messages that are to be stored, and finds those that the conversation has. */
  private async filesOf({ known, channel }: Place, { messages, agent }: ProtocolRequest): Promise<StoredFiles> {
    const withFiles = messages.flatMap((message, index) =>
      message.role === 'user' && message.files ? [{ index, files: message.files }] : [],
    );
    const sent = withFiles.map(({ index, files }) => ({ index, files: files.map((file) => ({ ...file, sha256: hashOf(file) })) }));
    const stored =
      channel && sent.some(({ index }) => index < known) ? await this.messagesWithFiles(channel.id) : new Map<string, string>();
    const idOf = ({ index, files }: (typeof sent)[number]): string | undefined => (index < known ? stored.get(hashesOf(files)) : undefined);
    const attachments = await Promise.all(
      sent
        .filter((each) => idOf(each) === undefined)
        .map(async ({ index, files }) => [index, await this.media.storeInline(agent.id, files)] as const),
    );
    return {
      attachments: new Map(attachments),
      messageIds: new Map(sent.flatMap((each) => (idOf(each) === undefined ? [] : [[each.index, idOf(each)!] as const]))),
    };
  }

  /** Ids of the user's messages with files that a caller sent, by the hashes of the files. */
  private async messagesWithFiles(channelId: string): Promise<Map<string, string>> {
    const all = await this.messages.transcript(channelId, 0, Number.MAX_SAFE_INTEGER, MAX_MESSAGES);
    return new Map(all.filter(({ authorKind }) => authorKind === 'user').map((message) => [hashesOf(attachmentsOf(message)), message.id]));
  }

  /** The prompt is what the caller sent. Only what is new in a named conversation is read with what is stored. */
  private turnRequest(
    place: Place,
    { messages, turn, isStored, isWhole: isAll = false }: ProtocolRequest,
    ids: ReadonlyMap<number, string>,
    files: StoredFiles,
  ): TurnRequest {
    const isNew = place.channel === undefined && place.history === undefined;
    const isWhole = isAll || place.known > 0 || isNew || messages.at(-1)?.role !== 'user';
    const sent = messages.map((message, index): SentMessage => {
      if (message.role === 'tool') return { role: 'tool', callId: message.callId, name: message.name, text: message.text };
      if (message.role === 'assistant') return message;
      const messageId = files.messageIds.get(index) ?? (files.attachments.has(index) ? ids.get(index) : undefined);
      return { role: 'user', text: message.text, ...(messageId !== undefined && { messageId }) };
    });
    return { ...turn, ...(isWhole && { messages: sent }), ...(!isStored && { forgets: true }) };
  }

  private bodyKey(request: ProtocolRequest): string {
    const { protocol, conversation = '', repetition } = request;
    const text = typeof repetition.body === 'string' ? repetition.body : Buffer.from(repetition.body).toString('latin1');
    return this.ids.of('request of a protocol', [callerKey(this.ids, request), protocol, conversation, text]);
  }
}

type Conversation = Parameters<typeof PROTOCOL_METRICS.requests.with>[0]['conversation'];

function count({ protocol }: ProtocolRequest, conversation: Conversation): void {
  PROTOCOL_METRICS.requests.with({ protocol, conversation }).add();
}

function hashesOf(files: readonly Record<string, unknown>[]): string {
  return files.map(({ sha256 }) => String(sha256)).join();
}

function notAwaited(): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    'input must have the outputs of calls that the conversation waits for.',
    'The call ids are those of the last response. Its wait may have ended (TOOL_RESULT_MINUTES): send the message again.',
  );
}

/** The results of tools at the end of a conversation; undefined when it ends otherwise. */
function resultsOf(messages: readonly ProtocolMessage[]): CallerResult[] | undefined {
  const behind = messages.findLastIndex(({ role }) => role !== 'tool') + 1;
  const results = messages.slice(behind).flatMap((message) => (message.role === 'tool' ? [message] : []));
  return results.length === 0 ? undefined : results.map(({ callId, text, isError }) => ({ callId, text, ...(isError && { isError }) }));
}
