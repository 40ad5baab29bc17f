export { ANSWER_STREAM } from './answer-events.dto.js';
export { attachmentsOf } from './attachments.js';
export { ChannelReadAccess } from './channel-read-access.js';
export { presentChannelEntry } from './channel-events.presenter.js';
export { ACTION_SOURCE, pendingReplies } from './reply-references.js';
export { ChannelMessagesService, type ChannelMessage } from './channel-messages.service.js';
export { parseChannelType, TURN_POLICIES, type Channel, type TurnPolicy } from './channel-types.js';
export { ChannelsService } from './channels.service.js';
export { ConversationImport, type ImportedMessage } from './conversation-import.js';
export { GENERAL_CHANNEL_ID } from './general-channel.js';
export { DerivedChannels, type LocatedChannel } from './derived-channels.js';
export { ExternalMessagesService, type ExternalMessage, type ExternalPrompt } from './external-messages.service.js';
export { historyQuery } from './history-query.js';
export { MessageHooks, type CancelledAnswers, type MessageHook } from './message-hooks.js';
export { MessagePolicies, type MessagePolicy } from './message-policies.js';
export { descriptor, MessagingModule } from './messaging.module.js';
export {
  AgentResponseView,
  CancelledAnswersView,
  MessagePageView,
  MessagesQuery,
  MessageView,
  PendingReplyView,
  RAW_MESSAGE_CLASS,
  UpdateMessageBody,
} from './messages.dto.js';
export {
  attachmentsFault,
  IsAttachments,
  IsMetadata,
  MAX_KEY_LENGTH,
  MAX_MESSAGE_LENGTH,
  MAX_RAW_MESSAGE_LENGTH,
  metadataFault,
} from './message-limits.js';
export { iso, presentHistory, presentMessage, presentOutcome } from './messages.presenter.js';
export { MessagesService } from './messages.service.js';
export type { MessageBeginning } from './messages.types.js';
export type {
  Completion,
  HistoryQuery,
  JournalMessage,
  Message,
  MessageDraft,
  PostResult,
  ReplyContent,
  UpdateMessage,
} from './messages.types.js';
export { CHANNEL_PATHS, DeprecatedPathGuard } from './paths.js';
export { UserIds } from './user-ids.js';
export { Replies, REPLY_ERRORS } from './replies.js';
export { failureIn, replyChange, type Citation, type ReplyChange, type ReplyIds } from './reply-changes.js';
export type { ReplyDetails, ReplyDetailsSource, ReplyUsage } from './reply-details.js';
export type { ReplyEvent, ReplyGap } from './reply-progress.js';
export { ReplyStreams } from './reply-streams.js';
export { ServersService } from './servers.service.js';
export { TRANSPORT_SCHEMA, transportOf } from './transport.js';
