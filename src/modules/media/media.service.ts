import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { isForeignKeyViolation, UnitOfWork } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Upload } from '../../core/http/index.js';
import { newId } from '../../core/ids/index.js';
import { firstCharacters } from '../../core/text/index.js';
import {
  Contents,
  FileStorage,
  type ByteRange,
  type ContentHeaders,
  type ReceivedContent,
  type SignedUrl,
} from '../../providers/storage/index.js';
import { AgentsService } from '../agents/index.js';
import { ChannelsService } from '../messaging/index.js';
import { HeicConverter } from './heic-converter.js';
import { MediaRepository } from './media.repository.js';
import { urlPathOf } from './media-url.js';
import { detectType, extensionOf, HEIC } from './media-types.js';
import type { MediaArea, MediaFile, MessageFile } from './media.types.js';

/** Uploaded and generated files: their rows, contents and attachments. */
@Injectable()
export class MediaService {
  constructor(
    private readonly repository: MediaRepository,
    private readonly storage: FileStorage,
    private readonly contents: Contents,
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly heic: HeicConverter,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    contents.register((hashes) => repository.hashesInUse(hashes));
  }

  /** @throws AppError AGENT_NOT_FOUND, CHANNEL_NOT_FOUND */
  async requireOwner(area: MediaArea, ownerId: string): Promise<void> {
    if (area === 'channels') await this.channels.require(ownerId);
    else this.agents.require(ownerId);
  }

  /**
   * Stores an upload; its content and its row are on disk when this resolves.
   *
   * @throws AppError UNSUPPORTED_MEDIA_TYPE; AGENT_NOT_FOUND or CHANNEL_NOT_FOUND when the owner was deleted concurrently
   */
  async store(area: MediaArea, ownerId: string, upload: Upload<ReceivedContent>): Promise<MediaFile> {
    let { content } = upload;
    try {
      const detected = await detectType(upload);
      if (detected === HEIC) content = await this.asJpeg(content);
      const [mimeType, originalName] =
        detected === HEIC ? ['image/jpeg', upload.originalName.replace(/\.hei[cf]$/i, '.jpg')] : [detected, upload.originalName];
      const now = this.clock.now();
      const file: MediaFile = {
        id: newId(),
        hash: content.hash,
        area,
        ownerId,
        name: `${now}-${randomBytes(16).toString('hex')}${extensionOf(mimeType, originalName)}`,
        originalName,
        mimeType,
        size: content.size,
        createdAt: now,
      };
      await this.contents.keep(
        content,
        () => this.unitOfWork.commit([this.repository.insert(file)]),
        () => this.unitOfWork.commit([this.repository.remove(file.id)]),
      );
      return file;
    } catch (error) {
      if (isForeignKeyViolation(error)) await this.requireOwner(area, ownerId);
      throw error;
    } finally {
      await content.discard();
    }
  }

  private async asJpeg(picture: ReceivedContent): Promise<ReceivedContent> {
    try {
      return await this.storage.receive(await this.heic.toJpeg(() => picture.read()));
    } finally {
      await picture.discard();
    }
  }

  /**
   * Stores attachments with `data:` URLs as generated files of the agent; other attachments stay unchanged.
   *
   * @throws AppError FILE_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
   */
  async storeInline(agentId: string, attachments: readonly Record<string, unknown>[]): Promise<Record<string, unknown>[]> {
    return Promise.all(
      attachments.map(async (attachment) => {
        const inline = inlineContent(attachment['url']);
        if (!inline) return attachment;
        const { bytes, declaredType } = inline;
        if (bytes.length > this.config.uploadLimitBytes) {
          throw new AppError('FILE_TOO_LARGE', `The attachment must have at most ${this.config.uploadLimitBytes} bytes`);
        }
        const name = ['name', 'filename', 'title'].map((key) => attachment[key]).find((value) => typeof value === 'string');
        const originalName = firstCharacters(String(name ?? 'file'), 200);
        const file = await this.store('generated', agentId, {
          content: await this.storage.receive(bytes),
          declaredType,
          originalName,
        });
        return { ...attachment, url: urlPathOf(file), contentType: file.mimeType };
      }),
    );
  }

  /** @throws AppError MEDIA_NOT_FOUND */
  async require(area: MediaArea, ownerId: string, name: string): Promise<MediaFile> {
    const file = await this.repository.find(area, ownerId, name);
    if (file) return file;
    throw new AppError('MEDIA_NOT_FOUND', 'No file has this URL.', 'It may have been deleted with its owner.');
  }

  /** Opens the content of a file, or a part of it. @throws AppError MEDIA_NOT_FOUND when it is not stored */
  open(file: MediaFile, range?: ByteRange): Promise<Readable> {
    return this.storage.read(file.hash, range);
  }

  /** An address in the store at which clients can read a file for a time; undefined when there is none. */
  signedUrl(file: MediaFile, headers: ContentHeaders): Promise<SignedUrl | undefined> {
    return this.storage.signedUrl(file.hash, headers);
  }

  /** The files of messages, by message id. */
  ofMessages(messageIds: readonly string[]): Promise<Map<string, MediaFile[]>> {
    return this.repository.ofMessages(messageIds);
  }

  /**
   * The files that were uploaded to a channel and that its messages have, newest first.
   *
   * @param throughSeq the position of the last message that counts
   */
  ofChannel(channelId: string, throughSeq: number, limit: number): Promise<MessageFile[]> {
    return this.repository.ofChannel(channelId, throughSeq, limit);
  }

  /** Files that exist among these ids, by id. */
  byId(ids: readonly string[]): Promise<ReadonlyMap<string, MediaFile>> {
    return this.repository.byId(ids);
  }

  /** The URL path of a file. */
  urlOf(file: MediaFile): string {
    return urlPathOf(file);
  }

  /** The content of a file. */
  async bytes(file: MediaFile): Promise<Uint8Array> {
    return buffer(await this.open(file));
  }

  /** Deletes up to `page` unreferenced files with their contents. @returns whether more may remain */
  async removeUnused(sentBefore: number, page: number): Promise<boolean> {
    const unused = await this.repository.unused(sentBefore, page);
    if (unused.length === 0) return false;
    await this.unitOfWork.commit(unused.map(({ id }) => this.repository.removeUnused(id, sentBefore)));
    await this.contents.removeUnused(unused.map(({ hash }) => hash));
    return unused.length === page;
  }
}

function inlineContent(url: unknown): { bytes: Buffer; declaredType: string } | undefined {
  const [, declaredType, content] =
    (typeof url === 'string' ? /^data:([\w.+-]+\/[\w.+-]+)?(?:;[^;,]*)*;base64,([^]*)$/i.exec(url) : null) ?? [];
  if (content === undefined) return undefined;
  return { bytes: Buffer.from(content, 'base64'), declaredType: (declaredType ?? '').toLowerCase() };
}
