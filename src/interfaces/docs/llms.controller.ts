import { Controller, Get, Res } from '@nestjs/common';
import { markdownAddressOf } from '../../core/documents/index.js';
import { ApiResponses, Public, type HttpResponse } from '../../core/http/index.js';
import { sendText } from './docs.controller.js';
import { llmsText } from './llms-text.js';

/** What language models read about this server first. */
@Controller()
@Public()
export class LlmsController {
  /** Returns the list of guides and references with their Markdown, for language models. */
  @Get('llms.txt')
  @ApiResponses({ status: 200, mediaType: 'text/plain', about: 'The list, in the form of llmstxt.org.' })
  async list(@Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    sendText(response, 'text/plain', await llmsText(markdownAddressOf, '/api/openapi.json'));
  }
}
