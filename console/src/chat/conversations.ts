// The conversations of this browser's user: channels, which have no end, with one agent or several.
import { computed, signal } from '@preact/signals';
import { GoneError, NotFoundError, type ChannelView } from 'parley-client';
import { cutText } from '../cut-text.js';
import { onCredentialChange, parley } from '../api.js';
import { t } from '../i18n.js';
import { myId } from '../identity.js';
import { agentName } from '../store/agents.js';
import { givenName } from './channel-name.js';

/** What this browser knows of its conversations; the server knows all that its user takes part in. */
const REMEMBERED = 'parley.conversations';
const MAX_REMEMBERED = 200;
const TITLE_LENGTH = 60;

export interface Conversation {
  readonly channelId: string;
  /** The agents in it. */
  readonly agentIds: readonly string[];
  /** Empty until words have been said. */
  readonly title: string;
  /** Epoch ms. */
  readonly lastActivity: number;
  /** The session that the conversation began as, of an app or of a former version. */
  readonly sessionId?: string;
  /** The protocol of an app with which it began, as the server names it. */
  readonly protocol?: string;
  /** The conversation that it branches from. */
  readonly branchOf?: string;
  /** Taken off the list by the user. */
  readonly hidden?: boolean;
}

const all = signal<ReadonlyMap<string, Conversation>>(new Map(remembered().map((one) => [one.channelId, one])));

/** The newest first. */
export const conversations = computed(() =>
  [...all.value.values()].filter(({ hidden }) => hidden !== true).sort((a, b) => b.lastActivity - a.lastActivity),
);

export function conversationOf(channelId: string): Conversation | undefined {
  return all.value.get(channelId);
}

/** Adds the conversations that the server knows of this user; without the permission, those of this browser are all. */
export async function loadConversations(): Promise<void> {
  const { channels } = await parley.call('GET /api/users/{userId}/channels', { path: { userId: myId }, query: { limit: 100 } });
  const unknown = channels.filter(({ id }) => !all.peek().has(id)).map((channel) => conversationIn(channel, channel.agents));
  save(new Map([...all.peek(), ...unknown.map((one) => [one.channelId, one] as const)]));
}

/** Begins a conversation with an agent. @param words the first ones; empty before anything is said */
export async function startConversation(agentId: string, words: string): Promise<Conversation> {
  const title = shortened(words);
  const channel = await parley.call('POST /api/messaging/channels', {
    body: {
      name: title === '' ? t('chat.untitled', { agent: agentName(agentId) }) : title,
      type: 'DM',
      participantCentralUserIds: [myId, agentId],
      metadata: { user1: myId, user2: agentId, platform: 'console' },
    },
  });
  return put({ channelId: channel.id, agentIds: [agentId], title, lastActivity: Date.now() });
}

export async function startGroup(name: string, agentIds: readonly string[]): Promise<Conversation> {
  const channel = await parley.call('POST /api/messaging/channels', {
    body: { name, type: 'GROUP', participantCentralUserIds: [myId, ...agentIds] },
  });
  return put({ channelId: channel.id, agentIds, title: name, lastActivity: Date.now() });
}

/** The conversation of any channel, for an address that this browser has not seen. @throws ParleyError */
export async function openChannel(channelId: string): Promise<Conversation> {
  const [channel, { agents }] = await Promise.all([
    parley.call('GET /api/messaging/channels/{channelId}', { path: { channelId } }),
    parley.call('GET /api/messaging/channels/{channelId}/agents', { path: { channelId } }),
  ]);
  return put(conversationIn(channel, agents));
}

/**
 * Has a conversation that began as a session go on when the session is over: its channel with all that was said becomes an ordinary one.
 * A session that lives stays as it is.
 */
export async function keepOpen(channelId: string): Promise<void> {
  const sessionId = all.value.get(channelId)?.sessionId;
  if (sessionId === undefined) return;
  const path = { sessionId };
  try {
    await parley.call('GET /api/messaging/sessions/{sessionId}', { path });
    return;
  } catch (error) {
    if (error instanceof GoneError) await parley.call('DELETE /api/messaging/sessions/{sessionId}', { path });
    else if (!(error instanceof NotFoundError)) throw error;
  }
  change(channelId, { sessionId: undefined });
}

/** Renames a conversation, here and as a channel of the server. */
export async function retitle({ channelId }: Pick<Conversation, 'channelId'>, title: string): Promise<void> {
  await parley.call('PATCH /api/messaging/channels/{channelId}', { path: { channelId }, body: { name: title } });
  change(channelId, { title });
}

/** Names a conversation without a title after its first words. */
export async function entitle(channelId: string, text: string): Promise<void> {
  if (all.value.get(channelId)?.title === '' && text.trim() !== '') await retitle({ channelId }, shortened(text));
}

/** Asks the agent for a title. @returns null when the conversation is too short */
export async function suggestTitle({ channelId, agentIds: [agentId] }: Conversation): Promise<string | null> {
  if (agentId === undefined) return null;
  const { title } = await parley.call('POST /api/messaging/channels/{channelId}/generate-title', {
    path: { channelId },
    body: { agentId },
  });
  return title;
}

/** Takes a conversation off the list; the server keeps it. */
export function hide({ channelId }: Conversation): void {
  change(channelId, { hidden: true });
}

export function change(channelId: string, changes: Partial<Conversation>): void {
  const conversation = all.value.get(channelId);
  if (conversation) put({ ...conversation, ...changes });
}

onCredentialChange(() => save(new Map()));

function conversationIn({ id: channelId, name, metadata, updatedAt }: ChannelView, agentIds: readonly string[]): Conversation {
  const { sessionId, protocol, branchOf } = metadata;
  return {
    channelId,
    agentIds,
    title: givenName(name),
    lastActivity: Date.parse(updatedAt),
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(typeof protocol === 'string' && { protocol }),
    ...(typeof branchOf === 'string' && { branchOf }),
  };
}

function put(conversation: Conversation): Conversation {
  save(new Map(all.value).set(conversation.channelId, conversation));
  return conversation;
}

function save(next: ReadonlyMap<string, Conversation>): void {
  all.value = next;
  const newest = [...next.values()].sort((a, b) => b.lastActivity - a.lastActivity).slice(0, MAX_REMEMBERED);
  localStorage.setItem(REMEMBERED, JSON.stringify(newest));
}

function remembered(): readonly Conversation[] {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? '[]') as readonly Conversation[];
  } catch {
    // Another version wrote it.
    return [];
  }
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length <= TITLE_LENGTH ? line : `${cutText(line, TITLE_LENGTH - 1).trimEnd()}…`;
}
