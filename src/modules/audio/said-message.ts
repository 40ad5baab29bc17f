import { DEFAULT_SERVER_ID } from '../../core/ids/index.js';
import type { Transcript } from '../../providers/speech/index.js';
import type { ChannelMessage } from '../messaging/index.js';
import type { Said } from './conversation.types.js';

/** What is said, as a message to be posted. @param agentId who is to answer; whoever is asked to when it is left out */
export function messageFor(
  agentId: string | undefined,
  { channelId, authorId, authorName, users, text, transcript, clientMessageId, metadata }: Said,
): ChannelMessage {
  return {
    channelId,
    serverId: DEFAULT_SERVER_ID,
    authorId,
    authorKind: 'user',
    authorName,
    users,
    content: text,
    rawMessage: { text },
    sourceType: 'audio',
    clientMessageId: clientMessageId ?? null,
    metadata: {
      ...metadata,
      channelType: 'VOICE_DM',
      ...(agentId === undefined ? {} : { targetAgentId: agentId }),
      ...(transcript === undefined ? {} : { transcription: transcriptionOf(transcript) }),
    },
  };
}

/** What a message keeps of how it was heard. */
function transcriptionOf({ provider, engine, language, durationSeconds }: Transcript): Record<string, unknown> {
  return { provider, engine, language, durationSeconds };
}
