import type { MemoryView } from 'parley-client';
import type { JSX } from 'preact';
import { errorText, parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { documentPlace, memoryPlace, messagePlace } from '../../places.js';

/** Leads from a memory to what it comes from: a message, the messages of a fact, a document, or the conversation of its room. */
export function Origin({ memory }: { readonly memory: MemoryView }): JSX.Element {
  const { agentId, metadata } = memory;
  const { channelId, messageId, documentId, sources } = metadata;
  if (typeof channelId === 'string' && typeof messageId === 'string') {
    return <a href={messagePlace(channelId, messageId)}>{t('memories.originMessage')}</a>;
  }
  if (typeof documentId === 'string') {
    return <a href={documentPlace(agentId, documentId, memory.id)}>{t('memories.originDocument')}</a>;
  }
  const ids = Array.isArray(sources) ? sources.filter((id): id is string => typeof id === 'string') : [];
  if (ids.length === 0) return <RoomLink {...memory} />;
  return (
    <>
      {ids.map((id, index) => (
        <a key={id} href={memoryPlace(agentId, id)}>
          {t('memories.originMemory', { number: index + 1 })}
        </a>
      ))}
    </>
  );
}

function RoomLink({ agentId, roomId }: Pick<MemoryView, 'agentId' | 'roomId'>): JSX.Element {
  const room = useLoad(() => parley.call('GET /api/agents/{agentId}/rooms/{roomId}', { path: { agentId, roomId } }), [agentId, roomId]);
  const channelId = room.value.data?.channelId;
  if (room.value.state === 'failed') return <>{errorText(room.value.error)}</>;
  return channelId ? (
    <a href={`/chat/${channelId}`}>{t('memories.conversation')}</a>
  ) : (
    <>{room.value.state === 'ready' && t('common.none')}</>
  );
}
