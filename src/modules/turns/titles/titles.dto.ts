import { IsUuidText } from '../../../core/http/index.js';

/** Body of `POST /api/messaging/channels/{channelId}/generate-title`. */
export class GenerateTitleBody {
  /** The agent whose model is asked. */
  @IsUuidText()
  agentId!: string;
}

/** What a conversation is about. */
export class TitleView {
  /** Null when there is too little to make one of. */
  title!: string | null;
  /** @format uuid */
  channelId!: string;
  /** Why there is none. */
  reason?: string;
}
