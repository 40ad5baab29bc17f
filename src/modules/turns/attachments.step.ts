import { Injectable } from '@nestjs/common';
import { Log } from '../../core/logging/index.js';
import type { ChatFile, ChatModel } from '../../providers/models/index.js';
import { AgentsService } from '../agents/index.js';
import { MediaService, type MediaFile } from '../media/index.js';
import { attachmentsOf, type Message } from '../messaging/index.js';

// What every service takes; and a model's context is not endless.
const SEEN_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const PDF = 'application/pdf';
const LARGEST_IMAGE_BYTES = 3_700_000;
const LARGEST_PDF_BYTES = 10_000_000;
const SHOWN_BYTES = 15_000_000;
const MOST_IMAGES = 8;
const MOST_PDFS = 2;
const DOCUMENTS_CHARACTERS = 24_000;
const BYTES_PER_CHARACTER = 4;

/** What a model gets of the files of one message. */
export interface Attached {
  /** Follows the text of the message. */
  readonly text: string;
  /** Pictures and documents that the model gets as they are. */
  readonly shown: readonly ChatFile[];
  /** Texts of documents alone, for a responder that works without a language model. */
  readonly documents: readonly string[];
}

interface Budget {
  images: number;
  pdfs: number;
  bytes: number;
  characters: number;
}

/** Gives a model the files of a conversation: pictures and PDF documents to one that can see them, texts as text, and of all others that they are there. */
@Injectable()
export class AttachmentsStep {
  private readonly log = new Log('turns');

  constructor(
    private readonly media: MediaService,
    private readonly agents: AgentsService,
  ) {}

  /**
   * @param messageIds the newest first: what does not fit is left out of the older ones
   * @returns by message; only those that have files
   */
  async read(agentId: string, model: ChatModel, messageIds: readonly string[]): Promise<ReadonlyMap<string, Attached>> {
    const files = await this.media.ofMessages(messageIds);
    const attached = new Map<string, Attached>();
    if (files.size === 0) return attached;
    const takes = (setting: 'supportsImages' | 'supportsDocuments'): boolean => {
      const chosen = this.agents.setting(agentId, setting);
      return typeof chosen === 'boolean' ? chosen : model[setting];
    };
    const sees = takes('supportsImages');
    const budget: Budget = {
      images: sees ? MOST_IMAGES : 0,
      pdfs: takes('supportsDocuments') ? MOST_PDFS : 0,
      bytes: SHOWN_BYTES,
      characters: DOCUMENTS_CHARACTERS,
    };
    for (const id of messageIds) {
      const own = files.get(id);
      if (own) attached.set(id, await this.present(own, sees, budget));
    }
    return attached;
  }

  private async present(files: readonly MediaFile[], sees: boolean, budget: Budget): Promise<Attached> {
    const lines: string[] = [];
    const shown: ChatFile[] = [];
    const documents: string[] = [];
    for (const file of files) {
      const name = JSON.stringify(file.originalName);
      const about = `attached: ${name} (${file.mimeType}, ${file.size} bytes)`;
      try {
        const seen = await this.seen(file, budget);
        const text = seen ? undefined : await this.document(file, budget);
        if (seen) {
          shown.push(seen);
          lines.push(`[${about}, shown to you]`);
        } else if (text === undefined) {
          lines.push(`[${about}, which you cannot ${file.mimeType.startsWith('image/') && !sees ? 'see' : 'read'}]`);
        } else {
          documents.push(text);
          const cut = Buffer.byteLength(text) < file.size ? ', of which this is the beginning' : '';
          lines.push(`[${about}${cut}:]`, text, `[end of ${name}]`);
        }
      } catch (error) {
        this.log.warn('an attached file could not be read', {
          mediaId: file.id,
          error: String((error as { code?: string }).code ?? error),
        });
        lines.push(`[${about}, which you cannot read]`);
      }
    }
    return { text: lines.join('\n'), shown, documents };
  }

  private async seen(file: MediaFile, budget: Budget): Promise<ChatFile | undefined> {
    const isPdf = file.mimeType === PDF;
    if (!isPdf && !SEEN_TYPES.has(file.mimeType)) return undefined;
    const kind = isPdf ? 'pdfs' : 'images';
    const largest = isPdf ? LARGEST_PDF_BYTES : LARGEST_IMAGE_BYTES;
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

/** Names what a message has attached that is no file of ours: it is not fetched. */
export function namesElsewhere(message: Message, attached: Attached | undefined): string {
  const elsewhere = attachmentsOf(message).filter(
    ({ url }) => typeof url !== 'string' || !url.includes('/media/') || attached === undefined,
  );
  const names = elsewhere.map((each) => {
    const name = ['name', 'title', 'filename', 'url', 'type'].map((key) => each[key]).find((value) => typeof value === 'string');
    return String(name ?? 'a file').slice(0, 200);
  });
  return names.length === 0 ? '' : `[attached: ${names.join(', ')}]`;
}
