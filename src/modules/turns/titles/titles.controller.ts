import { Body, Controller, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import { PathIdsGuard, ApiErrors, UuidPipe, type HttpResponse } from '../../../core/http/index.js';
import { CHANNEL_PATHS, DeprecatedPathGuard, historyQuery, MessagesQuery } from '../../messaging/index.js';
import { GenerateTitleBody, TitleView } from './titles.dto.js';
import { TitlesService } from './titles.service.js';

@Controller(CHANNEL_PATHS)
@UseGuards(DeprecatedPathGuard, PathIdsGuard)
export class TitlesController {
  constructor(private readonly titles: TitlesService) {}

  /** Generates a short title from the newest messages of a channel. */
  @Post(':channelId/generate-title')
  @HttpCode(200)
  @ApiErrors('AGENT_NOT_FOUND', 'CHANNEL_NOT_FOUND', 'MODEL_UNAVAILABLE', 'MODEL_REJECTED')
  async generate(
    @Param('channelId', UuidPipe) channelId: string,
    @Body() { agentId }: GenerateTitleBody,
    @Query() query: MessagesQuery,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<TitleView> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return { ...(await this.titles.make(channelId, agentId, historyQuery(query), gone.signal)), channelId };
  }
}
