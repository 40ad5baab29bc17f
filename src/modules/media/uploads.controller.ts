import { Controller, HttpCode, Inject, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import {
  ApiConsumes,
  HybridEnvelope,
  AllowScopedTokens,
  PathIdsGuard,
  receiveUpload,
  ApiErrors,
  UuidPipe,
  type HttpRequest,
  type HttpResponse,
} from '../../core/http/index.js';
import { FileStorage, type ReceivedContent } from '../../providers/storage/index.js';
import { presentMedia, UploadBody, type MediaView } from './media.dto.js';
import { MediaService } from './media.service.js';
import type { MediaArea } from './media.types.js';

/** Uploads for agents and channels, as multipart/form-data with one file in the field `file`. */
@Controller('api')
@UseGuards(PathIdsGuard)
@ApiErrors('VALIDATION_ERROR', 'FILE_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'STORAGE_FULL')
export class UploadsController {
  constructor(
    private readonly media: MediaService,
    private readonly storage: FileStorage,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Uploads a file to an agent. */
  @ApiConsumes({ mediaType: 'multipart/form-data', body: UploadBody })
  @Post(['media/agents/:agentId/upload-media', 'media/:agentId/upload-media'])
  @HttpCode(200)
  @HybridEnvelope()
  @ApiErrors('AGENT_NOT_FOUND')
  async toAgent(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<MediaView> {
    return this.upload('agents', agentId, request, response);
  }

  /** Uploads a file to a channel. */
  @ApiConsumes({ mediaType: 'multipart/form-data', body: UploadBody })
  @Post(['messaging/channels/:channelId/upload-media', 'media/channels/:channelId/upload-media'])
  @AllowScopedTokens()
  @HttpCode(200)
  @HybridEnvelope()
  @ApiErrors('CHANNEL_NOT_FOUND')
  async toChannel(
    @Param('channelId', UuidPipe) channelId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<MediaView> {
    return this.upload('channels', channelId, request, response);
  }

  private async upload(area: MediaArea, ownerId: string, request: HttpRequest, response: HttpResponse): Promise<MediaView> {
    await this.media.requireOwner(area, ownerId);
    const upload = await receiveUpload<ReceivedContent>(request, response, {
      limitBytes: this.config.uploadLimitBytes,
      sink: { write: (content) => this.storage.receive(content), remove: (content) => content.discard() },
    });
    return presentMedia(await this.media.store(area, ownerId, upload));
  }
}
