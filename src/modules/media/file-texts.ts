import { buffer } from 'node:stream/consumers';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, yieldToEventLoop } from '../../core/clock/index.js';
import { isForeignKeyViolation, UnitOfWork } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { FileStorage } from '../../providers/storage/index.js';
import { detectFormat, DocumentReader, type DocumentFormat, type Loss, type Piece } from '../knowledge/index.js';
import { FileTextsRepository } from './file-texts.repository.js';
import { isPlainText, mediaTypeOf } from './media-types.js';
import type { FileText, MediaFile } from './media.types.js';

/** The texts of files that are documents. Each file is read once; its text is kept as long as the file. */
@Injectable()
export class FileTexts implements OnModuleDestroy {
  private readonly reading = new Map<string, Promise<FileText>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly repository: FileTextsRepository,
    private readonly storage: FileStorage,
    private readonly reader: DocumentReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort(new Error('the server stops'));
    await Promise.allSettled(this.reading.values());
  }

  /** Whether a file is a document, whose text can be asked for. */
  isDocument({ mimeType }: MediaFile): boolean {
    return mediaTypeOf(mimeType).kind === 'document';
  }

  /**
   * The text of a document. The first call reads it, which may take half a minute; callers that wait for less leave the work to go on.
   *
   * @throws AppError MEDIA_NOT_FOUND when the content is not stored; other errors when the document cannot be read now
   */
  of(file: MediaFile): Promise<FileText> {
    const found = this.reading.get(file.id);
    if (found) return found;
    const reading = this.keptOrRead(file).finally(() => this.reading.delete(file.id));
    // The callers may have gone.
    reading.catch(() => undefined);
    this.reading.set(file.id, reading);
    return reading;
  }

  /** The text of a file that is plain text, as it was written; undefined for other files. */
  async verbatim(file: MediaFile): Promise<string | undefined> {
    const { mediaType, charset } = await this.formatOf(file);
    if (!isPlainText(mediaType)) return undefined;
    return new TextDecoder(charset ?? 'utf-8').decode(await buffer(await this.storage.read(file.hash))).replaceAll('\0', '');
  }

  private async keptOrRead(file: MediaFile): Promise<FileText> {
    const kept = await this.repository.reading(file.id);
    if (!kept) return this.read(file);
    const pieces: Piece[] = [];
    for (let position = 0; ; position++) {
      const slice = await this.repository.slice(file.id, position);
      if (!slice) return { pieces, problem: kept.problem, fault: kept.fault, losses: kept.losses };
      pieces.push(...slice);
      await yieldToEventLoop();
    }
  }

  private async read(file: MediaFile): Promise<FileText> {
    const slices: (readonly Piece[])[] = [];
    const losses: Loss[] = [];
    let problem: string | null = null;
    let fault: string | null = null;
    try {
      const format = await this.formatOf(file);
      const load = async (): Promise<Uint8Array<ArrayBuffer>> => Uint8Array.from(await buffer(await this.storage.read(file.hash)));
      for await (const slice of this.reader.read({ ...format, load }, losses, this.stopping.signal)) slices.push(slice);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'DOCUMENT_UNREADABLE') throw error;
      slices.length = 0;
      fault = (error.cause as { code?: string } | undefined)?.code ?? 'UNREADABLE';
      problem = error.details === error.message ? error.message : `${error.message} ${error.details}`;
    }
    await this.keep(file, { problem, fault, losses }, slices);
    return { pieces: slices.flat(), problem, fault, losses };
  }

  private formatOf({ hash, size, originalName, mimeType }: MediaFile): Promise<DocumentFormat> {
    const read = (range?: { start: number; end: number }): ReturnType<FileStorage['read']> => this.storage.read(hash, range);
    return detectFormat({ size, read }, originalName, { type: mimeType });
  }

  private async keep({ id: mediaId }: MediaFile, result: Omit<FileText, 'pieces'>, slices: readonly (readonly Piece[])[]): Promise<void> {
    try {
      await this.unitOfWork.commit(this.repository.insert({ mediaId, ...result, readAt: this.clock.now() }, slices));
    } catch (error) {
      // The file was deleted meanwhile, and nothing of it stays.
      if (!isForeignKeyViolation(error)) throw error;
    }
  }
}
