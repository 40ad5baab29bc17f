// What a channel is called: its name, unless the server made it of ids.
import type { ChannelView } from 'parley-client';
import { t } from '../i18n.js';
import { myId, myName } from '../identity.js';
import { agentName, agents } from '../store/agents.js';

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const OF_IDS = new RegExp(`^(?:session-${ID}|DM-${ID}-${ID}|${ID})$`, 'i');

type Named = Pick<ChannelView, 'name' | 'metadata'>;

/** The name that a person or an app gave it, or its first words; empty when there is none. */
export function givenName(name: string): string {
  return OF_IDS.test(name) ? '' : name;
}

/** The agent and the user of a direct channel or of a session, as far as its metadata tells. */
function sidesOf({ metadata }: Pick<ChannelView, 'metadata'>): { readonly agentId?: string; readonly userId?: string } {
  const { user1, user2, agentId, userId } = metadata;
  const sides = [user1, user2].filter((side): side is string => typeof side === 'string');
  const agent = typeof agentId === 'string' ? agentId : sides.find(isAgent);
  const user = typeof userId === 'string' ? userId : sides.find((side) => side !== agent);
  return { ...(agent !== undefined && { agentId: agent }), ...(user !== undefined && { userId: user }) };
}

/** A name that a person knows: the given one, or who speaks in it. */
export function channelName(channel: Named): string {
  const given = givenName(channel.name);
  if (given !== '') return given;
  const { agentId, userId } = sidesOf(channel);
  const { username } = channel.metadata;
  const person =
    typeof username === 'string' && username !== '' ? username : userId === myId ? myName.value || t('chat.you') : t('channels.aUser');
  return t('channels.between', { agent: agentId === undefined ? t('channels.anAgent') : agentName(agentId), person });
}

/** The name of a room, which knows no more of its channel. */
export function roomName(name: string, agentId: string): string {
  const given = givenName(name);
  return given === '' ? t('channels.between', { agent: agentName(agentId), person: t('channels.aUser') }) : given;
}

/** The name of a person, of whom the server may know none. */
export function personName(name: string | null | undefined): string {
  return name || t('common.user');
}

function isAgent(id: string): boolean {
  return agents.value?.some((agent) => agent.id === id) === true;
}
