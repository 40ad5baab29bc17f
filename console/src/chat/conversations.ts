// The conversations of this browser's user: sessions with an agent, and channels with several.
import { computed, signal } from '@preact/signals';
import { NotFoundError, GoneError, type SessionResponse } from '@parley/client';
import { onCredentialChange, parley } from '../api.js';
import { myId, myName } from '../identity.js';

/** Sessions of other browsers can be listed with a credential that may list sessions; those of this one are remembered. */
const REMEMBERED = 'parley.conversations';
const MAX_REMEMBERED = 200;
const TITLE_LENGTH = 60;

export interface Conversation {
  readonly channelId: string;
  /** The agents in it; one of a session. */
  readonly agentIds: readonly string[];
  readonly title: string;
  /** Epoch ms. */
  readonly lastActivity: number;
  /** Absent in a channel, which has no end. */
  readonly sessionId?: string;
  /** Epoch ms, of a session. */
  readonly expiresAt?: number;
  readonly ended?: boolean;
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

export function isOver({ ended, expiresAt }: Conversation, now: number): boolean {
  return ended === true || (expiresAt !== undefined && expiresAt <= now);
}

/** Adds the live sessions that the server knows of this user; without the permission, those of this browser are all. */
export async function loadConversations(): Promise<void> {
  const { sessions } = await parley.call('GET /api/messaging/sessions', { query: { userId: myId, limit: 100 } });
  for (const session of sessions) remember(session);
}

export async function startSession(agentId: string, title: string): Promise<Conversation> {
  const name = myName.peek();
  const session = await parley.call('POST /api/messaging/sessions', {
    body: { agentId, userId: myId, metadata: { platform: 'console', ...(name !== '' && { username: name }) } },
  });
  return remember(session, shortened(title));
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
  const { sessionId } = channel.metadata;
  if (typeof sessionId !== 'string') {
    return put({ channelId, agentIds: agents, title: channel.name, lastActivity: Date.parse(channel.updatedAt) });
  }
  const title = channel.name === `session-${sessionId}` ? '' : channel.name;
  const unknown = put({ channelId, sessionId, agentIds: agents, title, lastActivity: Date.parse(channel.updatedAt) });
  await refresh(unknown);
  return all.value.get(channelId) ?? unknown;
}

/** Reads the session again. One that is gone is marked as ended. */
export async function refresh({ sessionId, channelId }: Conversation): Promise<void> {
  if (sessionId === undefined) return;
  try {
    remember(await parley.call('GET /api/messaging/sessions/{sessionId}', { path: { sessionId } }));
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof GoneError)) throw error;
    change(channelId, { ended: true });
  }
}

export async function renew({ sessionId }: Conversation): Promise<void> {
  if (sessionId === undefined) return;
  remember(await parley.call('POST /api/messaging/sessions/{sessionId}/renew', { path: { sessionId } }));
}

export async function end({ sessionId, channelId }: Conversation): Promise<void> {
  if (sessionId === undefined) return;
  await parley.call('DELETE /api/messaging/sessions/{sessionId}', { path: { sessionId } });
  change(channelId, { ended: true });
}

/** Renames a conversation, here and as a channel of the server. */
export async function retitle({ channelId }: Conversation, title: string): Promise<void> {
  await parley.call('PATCH /api/messaging/channels/{channelId}', { path: { channelId }, body: { name: title } });
  change(channelId, { title });
}

/** Names a conversation without a title after its first words, in this browser. */
export function entitle(channelId: string, text: string): void {
  if (all.value.get(channelId)?.title === '' && text !== '') change(channelId, { title: shortened(text) });
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

function remember(session: SessionResponse, title?: string): Conversation {
  const { sessionId, channelId, agentId, expiresAt, lastActivity, status } = session;
  const known = all.value.get(channelId);
  return put({
    ...known,
    channelId,
    sessionId,
    agentIds: [agentId],
    title: title ?? known?.title ?? '',
    lastActivity: Date.parse(lastActivity),
    expiresAt: Date.parse(expiresAt),
    ended: status === 'expired' || status === 'ended',
  });
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
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH - 1).trimEnd()}…`;
}
