import { Injectable } from '@nestjs/common';
import type { Statement } from '../../core/database/index.js';
import type { Message } from './messages.types.js';

type WithAttachments = Pick<Message, 'rawMessage' | 'metadata'>;
type Placed = Pick<Message, 'id' | 'channelId'>;

/** What a message says is attached to it, wherever its door has put it; things of any shape. */
export function attachmentsOf({ rawMessage, metadata }: WithAttachments): Record<string, unknown>[] {
  const attachments: unknown = rawMessage?.['attachments'] ?? metadata['attachments'];
  if (!Array.isArray(attachments)) return [];
  return attachments.filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null);
}

/** Somebody who keeps what messages have attached. */
export interface AttachmentKeeper {
  /** Statements that note what a message has, for the unit that stores the message, behind its own. Fixed SQL texts. */
  attach(message: Placed, attachments: readonly Record<string, unknown>[]): Statement[];
  /** Statements that take back what was noted of a message, for the unit that changes what it has; when it is deleted that goes by itself. */
  detach(messageId: string): Statement[];
}

/** Registry, owned here and filled from above: messaging knows of no files. */
@Injectable()
export class AttachmentKeepers {
  private readonly registered: AttachmentKeeper[] = [];

  register(keeper: AttachmentKeeper): void {
    this.registered.push(keeper);
  }

  /** For a message that is stored. */
  attach(message: WithAttachments & Placed): Statement[] {
    const attachments = attachmentsOf(message);
    return attachments.length === 0 ? [] : this.registered.flatMap((keeper) => keeper.attach(message, attachments));
  }

  /** For a message that is changed, in the unit that changes it. */
  replace(message: WithAttachments & Placed): Statement[] {
    return [...this.registered.flatMap((keeper) => keeper.detach(message.id)), ...this.attach(message)];
  }
}
