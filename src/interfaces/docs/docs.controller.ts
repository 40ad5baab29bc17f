import { Controller, Get, Param, Res } from '@nestjs/common';
import { documentAt } from '../../core/documents/index.js';
import { AppError } from '../../core/errors/index.js';
import { ApiErrors, ApiResponses, Public, type HttpResponse } from '../../core/http/index.js';
import { documentPage, indexPage, PAGE_POLICY, type DocumentPage } from './document-pages.js';

/** The guides and the reference of this version, as pages. They are those of the package and hold nothing of the installation. */
@Controller('docs')
@Public()
export class DocsController {
  /** Returns the list of guides and references, as a page. */
  @Get()
  @ApiResponses({ status: 200, mediaType: 'text/html', about: 'The page.' })
  async index(@Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    send(response, await indexPage());
  }

  /** Returns a document as a page. */
  @Get('*path')
  @ApiResponses({ status: 200, mediaType: 'text/html', about: 'The page.' })
  @ApiErrors('NOT_FOUND')
  async document(@Param('path') path: string | readonly string[], @Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    const file = documentAt([path].flat().join('/'));
    const page = file === undefined ? undefined : await documentPage(file);
    if (page === undefined) throw new AppError('NOT_FOUND', 'There is no such document.', 'All documents are listed at /docs.');
    send(response, page);
  }
}

function send(response: HttpResponse, { html, etag }: DocumentPage): void {
  response.set({ 'Content-Security-Policy': PAGE_POLICY, 'Cache-Control': 'no-cache', ETag: etag }).type('html');
  // Express compares the tag and sends 304 by itself.
  response.send(html);
}
