import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { isForeignKeyViolation, UnitOfWork, type Statement } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Upload } from '../../core/http/index.js';
import { newId } from '../../core/ids/index.js';
import { AgentsService } from '../agents/index.js';
import { AttachmentKeepers, ChannelsService, type AttachmentKeeper } from '../messaging/index.js';
import { BlobStore } from './blob-store.js';
import { MediaRepository } from './media.repository.js';
import { addressOf, nameIn } from './media-address.js';
import { detectType, typeOf } from './media-types.js';
import type { MediaArea, MediaFile } from './media.types.js';

const MOST_ATTACHED = 100;

/** Owner of uploaded files: their rows, which messages have them, and their contents. */
@Injectable()
export class MediaService implements AttachmentKeeper, OnModuleInit {
  /** Contents come and go one after another: none is removed between its arrival and its row. */
  private line: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly repository: MediaRepository,
    private readonly blobs: BlobStore,
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly keepers: AttachmentKeepers,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.keepers.register(this);
  }

  /** @throws AppError AGENT_NOT_FOUND, CHANNEL_NOT_FOUND */
  async requireOwner(area: MediaArea, ownerId: string): Promise<void> {
    if (area === 'channels') await this.channels.require(ownerId);
    else this.agents.require(ownerId);
  }

  /**
   * Keeps a file that came in; its content and its row are on disk when this resolves.
   *
   * @throws AppError UNSUPPORTED_MEDIA_TYPE; AGENT_NOT_FOUND or CHANNEL_NOT_FOUND when the owner was deleted meanwhile
   */
  async keep(area: MediaArea, ownerId: string, upload: Omit<Upload, 'fields'>): Promise<MediaFile> {
    try {
      const mimeType = await detectType(upload);
      const now = this.clock.now();
      const file: MediaFile = {
        id: newId(),
        hash: upload.hash,
        area,
        ownerId,
        name: `${now}-${randomBytes(16).toString('hex')}.${typeOf(mimeType).extension}`,
        originalName: upload.originalName,
        mimeType,
        size: upload.size,
        createdAt: now,
      };
      await this.inLine(async () => {
        await this.blobs.keep(upload.path, upload.hash);
        await this.unitOfWork.commit([this.repository.insert(file)]);
        // Another process may have removed the same content in between, when the folder is shared.
        if (await this.blobs.has(upload.hash)) return;
        await this.unitOfWork.commit([this.repository.remove(file.id)]);
        throw new AppError('STORAGE_UNAVAILABLE', 'The file could not be kept at the moment.', 'Send it again.');
      });
      return file;
    } catch (error) {
      if (isForeignKeyViolation(error)) await this.requireOwner(area, ownerId);
      throw error;
    } finally {
      await upload.discard();
    }
  }

  /**
   * Attachments that carry their content themselves (`data:` addresses) become files that the agent has made; others stay as they are.
   *
   * @throws AppError FILE_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
   */
  async keepInline(agentId: string, attachments: readonly Record<string, unknown>[]): Promise<Record<string, unknown>[]> {
    return Promise.all(
      attachments.map(async (attachment) => {
        const inline = inlineContent(attachment['url']);
        if (!inline) return attachment;
        const { bytes, declaredType } = inline;
        if (bytes.length > this.config.uploadLimitBytes) {
          throw new AppError('FILE_TOO_LARGE', `The attachment must have at most ${this.config.uploadLimitBytes} bytes`);
        }
        const name = ['name', 'filename', 'title'].map((key) => attachment[key]).find((value) => typeof value === 'string');
        const originalName = String(name ?? 'file').slice(0, 200);
        const file = await this.keep('generated', agentId, { ...(await this.blobs.receive(bytes)), declaredType, originalName });
        return { ...attachment, url: addressOf(file), contentType: file.mimeType };
      }),
    );
  }

  /** @throws AppError MEDIA_NOT_FOUND */
  async require(area: MediaArea, ownerId: string, name: string): Promise<MediaFile> {
    const file = await this.repository.find(area, ownerId, name);
    if (file) return file;
    throw new AppError('MEDIA_NOT_FOUND', 'There is no file at this address.', 'It may have been removed with what it belonged to.');
  }

  /** Where a file's content lies. */
  pathOf(file: MediaFile): string {
    return this.blobs.pathOf(file.hash);
  }

  /** The files that messages have, by the message. */
  ofMessages(messageIds: readonly string[]): Promise<Map<string, MediaFile[]>> {
    return this.repository.ofMessages(messageIds);
  }

  /** The whole content of a file. */
  async bytes(file: MediaFile): Promise<Uint8Array> {
    return readFile(this.pathOf(file));
  }

  /** The beginning of a text, of at most `mostBytes` bytes; undefined for a file that is none. */
  async text(file: MediaFile, mostBytes: number): Promise<string | undefined> {
    if (!typeOf(file.mimeType).readable) return undefined;
    const handle = await open(this.pathOf(file));
    try {
      const length = Math.min(mostBytes, file.size);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
      // A character that was cut in two is left out.
      return new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
    } finally {
      await handle.close();
    }
  }

  attach(message: { id: string; channelId: string }, attachments: readonly Record<string, unknown>[]): Statement[] {
    const names = attachments.slice(0, MOST_ATTACHED).flatMap(({ url }) => nameIn(url) ?? []);
    return this.repository.attach(message, [...new Set(names)]);
  }

  detach(messageId: string): Statement[] {
    return [this.repository.detach(messageId)];
  }

  /** Removes up to a page of the files that nothing refers to, with their contents. @returns whether there may be more */
  async removeUnused(sentBefore: number, page: number): Promise<boolean> {
    const unused = await this.repository.unused(sentBefore, page);
    if (unused.length === 0) return false;
    await this.unitOfWork.commit(unused.map(({ id }) => this.repository.removeUnused(id, sentBefore)));
    await this.removeContents(unused.map(({ hash }) => hash));
    return unused.length === page;
  }

  /** Removes those of these contents that no file has. */
  async removeContents(hashes: readonly string[]): Promise<number> {
    const inUse = await this.repository.hashesInUse(hashes);
    let removed = 0;
    for (const hash of new Set(hashes)) {
      if (inUse.has(hash)) continue;
      const isReferred = async (): Promise<boolean> => (await this.repository.hashesInUse([hash])).has(hash);
      if (await this.inLine(() => this.blobs.removeUnless(hash, isReferred))) removed += 1;
    }
    return removed;
  }

  private inLine<T>(work: () => Promise<T>): Promise<T> {
    const result = this.line.then(work);
    this.line = result.catch(() => undefined);
    return result;
  }
}

function inlineContent(url: unknown): { bytes: Buffer; declaredType: string } | undefined {
  const [, declaredType, content] =
    (typeof url === 'string' ? /^data:([\w.+-]+\/[\w.+-]+)?(?:;[^;,]*)*;base64,([^]*)$/i.exec(url) : null) ?? [];
  if (content === undefined) return undefined;
  return { bytes: Buffer.from(content, 'base64'), declaredType: (declaredType ?? '').toLowerCase() };
}
