import { Injectable } from '@nestjs/common';
import type { Statement } from '../../core/database/index.js';
import { attachmentsOf, type Message, type MessageDraft, type MessageHook } from '../messaging/index.js';
import { fileNameIn } from './media-url.js';
import { MediaRepository } from './media.repository.js';

const MAX_ATTACHMENTS = 100;

/** Records the files attached to messages. The records are deleted with their message. */
@Injectable()
export class AttachmentHandler implements MessageHook {
  constructor(private readonly repository: MediaRepository) {}

  onMessageStored(message: MessageDraft): Statement[] {
    const names = attachmentsOf(message)
      .slice(0, MAX_ATTACHMENTS)
      .flatMap(({ url }) => fileNameIn(url) ?? []);
    return this.repository.attach(message, [...new Set(names)]);
  }

  async onMessageEdited(message: Message): Promise<Statement[]> {
    return Promise.resolve([this.repository.detach(message.id), ...this.onMessageStored(message)]);
  }
}
