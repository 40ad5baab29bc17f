import { Injectable } from '@nestjs/common';
import { Log } from '../../../core/logging/index.js';
import { cutText } from '../../../core/text/index.js';
import type { ChatFile, ChatModel } from '../../../providers/models/index.js';
import { AgentsService } from '../../agents/index.js';
import { MediaService, type MediaFile } from '../../media/index.js';
import { attachmentsOf, type Message } from '../../messaging/index.js';

// Types that every service accepts, and limits that keep the model's context small.
const VISIBLE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const PDF = 'application/pdf';
const MAX_IMAGE_BYTES = 3_700_000;
const MAX_PDF_BYTES = 10_000_000;
const MAX_TOTAL_BYTES = 15_000_000;
const MAX_IMAGES = 8;
const MAX_PDFS = 2;
const MAX_DOCUMENT_CHARACTERS = 24_000;
const BYTES_PER_CHARACTER = 4;

/** The files of one message, prepared for a model. */
export interface AttachedContent {
  /** Text to append to the message. */
  readonly text: string;
  /** Images and documents that are passed to the model unchanged. */
  readonly files: readonly ChatFile[];
  /** The text of documents, for the offline responder. */
  readonly documents: readonly string[];
}

interface Budget {
  images: number;
  pdfs: number;
  bytes: number;
  characters: number;
}

/**
 * Prepares the files of a conversation for a model: images and PDF documents when the model supports them, text files as text, and a note
 * for every other file.
 */
@Injectable()
export class AttachmentsStep {
  private readonly log = new Log('turns');

  constructor(
    private readonly media: MediaService,
    private readonly agents: AgentsService,
  ) {}

  /**
   * @param messageIds newest first; files that exceed the limits are omitted from older messages
   * @returns by message id; messages without files are absent
   */
  async read(agentId: string, model: ChatModel, messageIds: readonly string[]): Promise<ReadonlyMap<string, AttachedContent>> {
    const files = await this.media.ofMessages(messageIds);
    const attached = new Map<string, AttachedContent>();
    if (files.size === 0) return attached;
    const takes = (setting: 'supportsImages' | 'supportsDocuments'): boolean => {
      const chosen = this.agents.setting(agentId, setting);
      return typeof chosen === 'boolean' ? chosen : model[setting];
    };
    const sees = takes('supportsImages');
    const budget: Budget = {
      images: sees ? MAX_IMAGES : 0,
      pdfs: takes('supportsDocuments') ? MAX_PDFS : 0,
      bytes: MAX_TOTAL_BYTES,
      characters: MAX_DOCUMENT_CHARACTERS,
    };
    for (const id of messageIds) {
      const own = files.get(id);
      if (own) attached.set(id, await this.present(own, sees, budget));
    }
    return attached;
  }

  private async present(attachments: readonly MediaFile[], sees: boolean, budget: Budget): Promise<AttachedContent> {
    const lines: string[] = [];
    const files: ChatFile[] = [];
    const documents: string[] = [];
    for (const file of attachments) {
      const name = JSON.stringify(file.originalName);
      const about = `attached: ${name} (${file.mimeType}, ${file.size} bytes)`;
      try {
        const visible = await this.loadVisible(file, budget);
        const text = visible ? undefined : await this.document(file, budget);
        if (visible) {
          files.push(visible);
          lines.push(`[${about}, shown to you]`);
        } else if (text === undefined) {
          lines.push(`[${about}, which you cannot ${file.mimeType.startsWith('image/') && !sees ? 'see' : 'read'}]`);
        } else {
          documents.push(text);
          const cut = Buffer.byteLength(text) < file.size ? ', of which this is the beginning' : '';
          lines.push(`[${about}${cut}:]`, text, `[end of ${name}]`);
        }
      } catch (error) {
        this.log.warn('reading an attached file failed', {
          mediaId: file.id,
          error: String((error as { code?: string }).code ?? error),
        });
        lines.push(`[${about}, which you cannot read]`);
      }
    }
    return { text: lines.join('\n'), files, documents };
  }

  private async loadVisible(file: MediaFile, budget: Budget): Promise<ChatFile | undefined> {
    const isPdf = file.mimeType === PDF;
    if (!isPdf && !VISIBLE_TYPES.has(file.mimeType)) return undefined;
    const kind = isPdf ? 'pdfs' : 'images';
    const largest = isPdf ? MAX_PDF_BYTES : MAX_IMAGE_BYTES;
    if (budget[kind] === 0 || file.size > Math.min(largest, budget.bytes)) return undefined;
    const data = await this.media.bytes(file);
    budget[kind] -= 1;
    budget.bytes -= file.size;
    return { mediaType: file.mimeType, data, name: file.originalName };
  }

  private async document(file: MediaFile, budget: Budget): Promise<string | undefined> {
    if (budget.characters <= 0) return undefined;
    const text = (await this.media.text(file, budget.characters * BYTES_PER_CHARACTER))?.slice(0, budget.characters);
    if (text !== undefined) budget.characters -= text.length;
    return text;
  }
}

/** Names the attachments of a message that are not stored here; they are not fetched. */
export function describeExternalAttachments(message: Message, attached: AttachedContent | undefined): string {
  const elsewhere = attachmentsOf(message).filter(
    ({ url }) => typeof url !== 'string' || !url.includes('/media/') || attached === undefined,
  );
  const names = elsewhere.map((each) => {
    const name = ['name', 'title', 'filename', 'url', 'type'].map((key) => each[key]).find((value) => typeof value === 'string');
    return cutText(String(name ?? 'a file'), 200);
  });
  return names.length === 0 ? '' : `[attached: ${names.join(', ')}]`;
}
