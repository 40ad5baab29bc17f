import { Injectable } from '@nestjs/common';
import { Clock, withTimeout } from '../../../core/clock/index.js';
import { Log } from '../../../core/logging/index.js';
import type { ChatFile, ChatModel } from '../../../providers/models/index.js';
import { AgentsService } from '../../agents/index.js';
import { FileTexts, MediaService, type MediaFile, type MessageFile } from '../../media/index.js';
import { memoryId, Recall } from '../../memory/index.js';
import type { Message } from '../../messaging/index.js';
import { NO_FILES, type AttachedFiles, type FileReading, type ReadFile } from './attached-files.js';
import { quoteFiles } from './file-quotations.js';
import { selectTexts } from './file-selection.js';

// Types that every service accepts, and limits that keep the model's context small.
const VISIBLE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const PDF = 'application/pdf';
const MAX_IMAGE_BYTES = 3_700_000;
const MAX_PDF_BYTES = 10_000_000;
const MAX_TOTAL_BYTES = 15_000_000;
const MAX_IMAGES = 8;
const MAX_PDFS = 2;
/** Documents that are looked into, newest first. */
const MAX_DOCUMENTS = 20;
/** Time for the documents of a turn, ms; those that take longer are read on, for the turns that follow. */
const READING_MS = 45_000;
/** A longer text does not fit as a whole, bytes for each token. */
const BYTES_PER_TOKEN = 16;

/** What a turn asks of the files of its conversation. */
export interface AttachmentsTask {
  readonly agentId: string;
  readonly model: ChatModel;
  /** The message to reply to. */
  readonly message: Message;
  /** The messages that the prompt shows and that have files, newest first. */
  readonly messageIds: readonly string[];
  /** The message, with what it refers to. */
  readonly question: string;
  /** Budget for texts. */
  readonly tokens: number;
  /** The number of the first text, by which a reply cites it. */
  readonly firstNumber: Promise<number>;
  readonly signal: AbortSignal;
}

interface Budget {
  images: number;
  pdfs: number;
  bytes: number;
}

/**
 * Prepares the files of a conversation for a model: images and PDF documents unchanged when the model supports them, other documents as text
 * within a budget, and a note for every other file. Documents of messages that the prompt does not show are searched for what the message
 * asks.
 */
@Injectable()
export class AttachmentsStep {
  private readonly log = new Log('turns');

  constructor(
    private readonly media: MediaService,
    private readonly texts: FileTexts,
    private readonly agents: AgentsService,
    private readonly recall: Recall,
    private readonly clock: Clock,
  ) {}

  async read(task: AttachmentsTask): Promise<AttachedFiles> {
    const { messageIds, message, question, tokens } = task;
    const [shown, past] = await Promise.all([this.media.ofMessages(messageIds), this.past(task)]);
    const files = messageIds.flatMap((messageId) => (shown.get(messageId) ?? []).map((file): MessageFile => ({ ...file, messageId })));
    if (files.length === 0 && past.length === 0) return NO_FILES;
    const documents = distinct([...files, ...past].filter((file) => this.texts.isDocument(file))).slice(0, MAX_DOCUMENTS);
    const readings = await this.readings(documents, task.signal);
    const sees = this.takes(task, 'supportsImages');
    const visible = await this.visible(files, readings, {
      images: sees ? MAX_IMAGES : 0,
      pdfs: this.takes(task, 'supportsDocuments') ? MAX_PDFS : 0,
      bytes: MAX_TOTAL_BYTES,
    });
    const readable = await this.readable(documents, readings, visible, tokens);
    const isPast = new Set(past);
    const selected = await selectTexts(
      readable.map(({ file, text, verbatim }) => ({
        ...{ name: file.originalName, pieces: text.pieces, verbatim },
        when: file.messageId === message.id ? 'now' : isPast.has(file) ? 'past' : 'shown',
      })),
      question,
      tokens,
    );
    const quoted = readable.map((read, index) => ({ ...read, selected: selected[index]!, url: this.media.urlOf(read.file) }));
    return quoteFiles({ files, past, message, readings, visible, quoted, sees, firstNumber: await task.firstNumber });
  }

  /** Files of messages before those that the prompt shows, which the agent remembers. */
  private async past({ agentId, message, messageIds }: AttachmentsTask): Promise<MessageFile[]> {
    const files = await this.media.ofChannel(message.channelId, message.seq, 2 * MAX_DOCUMENTS);
    const shown = new Set([...messageIds, message.id]);
    const before = files.filter((file) => !shown.has(file.messageId) && this.texts.isDocument(file));
    if (before.length === 0) return [];
    const remembered = await this.recall.read(
      agentId,
      before.map(({ messageId }) => memoryId(agentId, messageId)),
    );
    return before.filter(({ messageId }) => remembered.has(memoryId(agentId, messageId)));
  }

  private takes({ agentId, model }: AttachmentsTask, setting: 'supportsImages' | 'supportsDocuments'): boolean {
    const chosen = this.agents.setting(agentId, setting);
    return typeof chosen === 'boolean' ? chosen : model[setting];
  }

  /** By id of the file. */
  private async readings(documents: readonly MediaFile[], signal: AbortSignal): Promise<Map<string, FileReading>> {
    return new Map(
      await Promise.all(documents.map(async (file): Promise<[string, FileReading]> => [file.id, await this.reading(file, signal)])),
    );
  }

  private async reading(file: MediaFile, signal: AbortSignal): Promise<FileReading> {
    const reading = this.texts.of(file).catch((error: unknown): FileReading => {
      this.complain(file, error);
      return 'failed';
    });
    return withTimeout<FileReading>(this.clock, READING_MS, () => reading, { signal }).catch((): FileReading => 'late');
  }

  private async visible(
    files: readonly MediaFile[],
    readings: ReadonlyMap<string, FileReading>,
    budget: Budget,
  ): Promise<Map<MediaFile, ChatFile>> {
    const visible = new Map<MediaFile, ChatFile>();
    for (const file of files) {
      try {
        const loaded = mayBeShown(readings.get(file.id)) ? await this.load(file, budget) : undefined;
        if (loaded) visible.set(file, loaded);
      } catch (error) {
        this.complain(file, error);
      }
    }
    return visible;
  }

  private async load(file: MediaFile, budget: Budget): Promise<ChatFile | undefined> {
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

  /** The documents that have a text and are not shown as files. */
  private async readable(
    documents: readonly MessageFile[],
    readings: ReadonlyMap<string, FileReading>,
    visible: ReadonlyMap<MediaFile, ChatFile>,
    tokens: number,
  ): Promise<ReadFile[]> {
    const asFiles = new Set([...visible.keys()].map(({ id }) => id));
    const readable: ReadFile[] = [];
    for (const file of documents) {
      const text = readings.get(file.id);
      if (typeof text !== 'object' || text.problem !== null || asFiles.has(file.id)) continue;
      const isShort = file.size <= tokens * BYTES_PER_TOKEN;
      readable.push({ file, text, verbatim: isShort ? await this.texts.verbatim(file) : undefined });
    }
    return readable;
  }

  private complain({ id: mediaId }: MediaFile, error: unknown): void {
    this.log.warn('reading an attached file failed', { mediaId, error: String((error as { code?: string }).code ?? error) });
  }
}

/** A document that cannot be opened fails the request to a model too. A scanned one can be seen. */
function mayBeShown(reading: FileReading | undefined): boolean {
  return typeof reading !== 'object' || reading.problem === null || reading.fault === 'NO_TEXT';
}

/** A file that several messages have counts for the newest of them. */
function distinct(files: readonly MessageFile[]): MessageFile[] {
  return [...new Map(files.toReversed().map((file) => [file.id, file])).values()].reverse();
}
