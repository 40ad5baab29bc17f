import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import {
  ApiResponses,
  Public,
  ApiErrors,
  sendContent,
  UuidPipe,
  type HttpRequest,
  type HttpResponse,
  type AdditionalResponse,
} from '../../core/http/index.js';
import { MediaService } from './media.service.js';
import { mediaTypeOf } from './media-types.js';
import type { MediaArea, MediaFile } from './media.types.js';

const YEAR_S = 365 * 24 * 3600;
const FILE: AdditionalResponse = {
  status: 200,
  mediaType: '*/*',
  about: 'The file with its media type; 206 for a Range request, 307 to a signed address in the store where S3_SIGNED_URL_SECONDS is set.',
};

/** Uploaded files. Web pages embed them by URL, so no credential is required: the random name serves as one. */
@Controller('media')
@Public()
@ApiErrors('MEDIA_NOT_FOUND')
export class FilesController {
  constructor(private readonly media: MediaService) {}

  /** Returns a file that was uploaded to an agent. */
  @ApiResponses(FILE)
  @Get('uploads/agents/:agentId/:filename')
  async ofAgent(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('filename') filename: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    await this.serve('agents', agentId, filename, request, response);
  }

  /** Returns a file that was uploaded to a channel. */
  @ApiResponses(FILE)
  @Get('uploads/channels/:channelId/:filename')
  async ofChannel(
    @Param('channelId', UuidPipe) channelId: string,
    @Param('filename') filename: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    await this.serve('channels', channelId, filename, request, response);
  }

  /** Returns a file that an agent created. */
  @ApiResponses(FILE)
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
    const headers = headersOf(file);
    response.set(headers);
    await sendContent(request, response, {
      size: file.size,
      etag: `"${file.hash}"`,
      modifiedAt: file.createdAt,
      open: (range) => this.media.open(file, range),
      elsewhere: () => this.signedUrl(file, headers, request),
    });
  }

  /**
   * Only for types that browsers play or show: a store sends no headers that stop others from being run. Pages of this server get the file
   * from here, because their policy allows no other origin.
   */
  private async signedUrl(
    file: MediaFile,
    headers: ReturnType<typeof headersOf>,
    request: HttpRequest,
  ): Promise<{ url: string; maxAgeS: number } | undefined> {
    if (mediaTypeOf(file.mimeType).kind === 'document' || request.get('sec-fetch-site') === 'same-origin') return undefined;
    const signed = await this.media.signedUrl(file, {
      contentType: headers['Content-Type'],
      contentDisposition: headers['Content-Disposition'],
      cacheControl: headers['Cache-Control'],
    });
    return signed && { url: signed.url, maxAgeS: Math.floor(signed.seconds / 2) };
  }
}

/** Headers that stop browsers from guessing the type of an upload and from running it. */
function headersOf({ mimeType, originalName }: MediaFile) {
  return {
    'Content-Type': mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType,
    'Content-Disposition': disposition(originalName, mediaTypeOf(mimeType).inline),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    // The content of a URL never changes; shared caches must not serve it.
    'Cache-Control': `private, max-age=${YEAR_S}, immutable`,
  };
}

/** RFC 6266: the file name as ASCII and as UTF-8. */
function disposition(name: string, inline: boolean): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
