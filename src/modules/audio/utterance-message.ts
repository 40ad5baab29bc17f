import { DEFAULT_SERVER_ID } from '../../core/ids/index.js';
import type { Transcript } from '../../providers/speech/index.js';
import type { ChannelMessage } from '../messaging/index.js';
import type { SpokenUtterance } from './conversation.types.js';

/** Converts an utterance to a channel message. @param agentId the agent that replies; when omitted, the agents that the channel selects */
export function toChannelMessage(
  agentId: string | undefined,
  { channelId, authorId, authorName, users, text, transcript, clientMessageId, metadata }: SpokenUtterance,
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

/** The part of a transcript that the message stores. */
function transcriptionOf({ provider, engine, language, durationSeconds }: Transcript): Record<string, unknown> {
  return { provider, engine, language, durationSeconds };
}
