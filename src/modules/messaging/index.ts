export { REPLY_STREAM } from './replies/reply-stream.dto.js';
export { attachmentsOf } from './messages/attachments.js';
export { ChannelReadAccess } from './channels/channel-read-access.js';
export { presentChannelEvent } from './messages/channel-events.presenter.js';
export { ACTION_SOURCE, pendingReplies } from './replies/reply-references.js';
export { ChannelMessagesService, type ChannelMessage } from './messages/channel-messages.service.js';
export { parseChannelType, TURN_POLICIES, type Channel, type TurnPolicy } from './channels/channel-types.js';
export { ChannelsService } from './channels/channels.service.js';
export { ConversationImport, type ImportedMessage } from './messages/conversation-import.js';
export { GENERAL_CHANNEL_ID } from './channels/general-channel.js';
export { DerivedChannels, type LocatedChannel } from './channels/derived-channels.js';
export { ExternalMessagesService, type ExternalMessage, type ExternalPrompt } from './messages/external-messages.service.js';
export { historyQuery } from './messages/history-query.js';
export { MessageHooks, type CancelledReplies, type MessageHook } from './messages/message-hooks.js';
export { MessagePolicies, type MessagePolicy } from './messages/message-policies.js';
export { userWroteAfter } from './messaging-personal-data.js';
export { descriptor, MessagingModule } from './messaging.module.js';
export {
  AgentResponseView,
  CancelledRepliesView,
  MessagePageView,
  MessagesQuery,
  MessageView,
  PendingReplyView,
  RAW_MESSAGE_CLASS,
  UpdateMessageBody,
} from './messages/messages.dto.js';
export {
  attachmentsError,
  IsAttachments,
  IsMetadata,
  MAX_KEY_LENGTH,
  MAX_MESSAGE_LENGTH,
  MAX_RAW_MESSAGE_LENGTH,
  metadataError,
} from './messages/message-limits.js';
export { iso, presentHistory, presentMessage, presentOutcome } from './messages/messages.presenter.js';
export { MessagesService } from './messages/messages.service.js';
export type { MessageBeginning } from './messages/messages.types.js';
export type {
  Completion,
  HistoryQuery,
  JournalMessage,
  Message,
  MessageDraft,
  PostResult,
  ReplyContent,
  UpdateMessage,
} from './messages/messages.types.js';
export { CHANNEL_PATHS, DeprecatedPathGuard } from './paths.js';
export { UserIds } from './channels/user-ids.js';
export { Replies, REPLY_ERRORS } from './replies/replies.js';
export {
  failureIn,
  replyChange,
  type Citation,
  type HandedCall,
  type ReplyChange,
  type ReplyIds,
  type TextPart,
} from './replies/reply-changes.js';
export type { ReplyDetails, ReplyDetailsSource, ReplyUsage } from './replies/reply-details.js';
export type { ReplyEvent, ReplyGap } from './replies/reply-progress.js';
export type { RunningText } from './replies/running-text.js';
export { ReplyStreams } from './replies/reply-streams.js';
export { ServersService } from './servers/servers.service.js';
export { TRANSPORT_SCHEMA, transportOf } from './messages/transport.js';
