import { IsUuidText } from '../../../core/http/index.js';

/** Body of `POST /api/messaging/channels/{channelId}/generate-title`. */
export class GenerateTitleBody {
  /** The agent whose model generates the title. */
  @IsUuidText()
  agentId!: string;
}

/** Title of a conversation. */
export class TitleView {
  /** Null when the conversation is too short. */
  title!: string | null;
  /** @format uuid */
  channelId!: string;
  /** Why the title is null. */
  reason?: string;
}
