import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import {
  Answers,
  Public,
  Refuses,
  sendFile,
  UuidPipe,
  type HttpRequest,
  type HttpResponse,
  type OtherAnswer,
} from '../../core/http/index.js';
import { MediaService } from './media.service.js';
import { typeOf } from './media-types.js';
import type { MediaArea } from './media.types.js';

const FILE: OtherAnswer = { status: 200, mediaType: '*/*', about: 'The file, in its own media type; 206 with a part of it for a Range.' };

/** Uploaded files. Pages show them by address alone, so no credential is asked for: the random name is one. */
@Controller('media')
@Public()
@Refuses('MEDIA_NOT_FOUND')
export class FilesController {
  constructor(private readonly media: MediaService) {}

  /** A file that was uploaded to an agent. */
  @Answers(FILE)
  @Get('uploads/agents/:agentId/:filename')
  async ofAgent(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('filename') filename: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    await this.serve('agents', agentId, filename, request, response);
  }

  /** A file that was uploaded to a channel. */
  @Answers(FILE)
  @Get('uploads/channels/:channelId/:filename')
  async ofChannel(
    @Param('channelId', UuidPipe) channelId: string,
    @Param('filename') filename: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    await this.serve('channels', channelId, filename, request, response);
  }

  /** A file that an agent has made. */
  @Answers(FILE)
  @Get('generated/:agentId/:filename')
  async generated(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('filename') filename: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    await this.serve('generated', agentId, filename, request, response);
  }

  private async serve(area: MediaArea, ownerId: string, name: string, request: HttpRequest, response: HttpResponse): Promise<void> {
    const file = await this.media.require(area, ownerId, name);
    await sendFile(request, response, {
      path: this.media.pathOf(file),
      mimeType: file.mimeType,
      name: file.originalName,
      inline: typeOf(file.mimeType).inline,
      tag: file.hash,
      modifiedAt: file.createdAt,
    });
  }
}
