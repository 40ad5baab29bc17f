import { Controller, Get, Param, Res } from '@nestjs/common';
import { documentAt } from '../../core/documents/index.js';
import { AppError } from '../../core/errors/index.js';
import { ApiErrors, ApiResponses, Public, type HttpResponse } from '../../core/http/index.js';
import { documentPage, indexPage, PAGE_POLICY, type DocumentPage } from './document-pages.js';
import { entityTag } from './installed-documents.js';
import { markdownDocument } from './markdown-documents.js';

/** The guides and the reference of this version, as pages and as Markdown. They are those of the package and hold nothing of the installation. */
@Controller('docs')
@Public()
export class DocsController {
  /** Returns the list of guides and references, as a page. */
  @Get()
  @ApiResponses({ status: 200, mediaType: 'text/html', about: 'The page.' })
  async index(@Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    sendPage(response, await indexPage());
  }

  /** Returns a document as Markdown, by its name, such as `faq`. */
  @Get(':name.md')
  @ApiResponses({ status: 200, mediaType: 'text/markdown', about: 'The document. Its links open on this server.' })
  @ApiErrors('NOT_FOUND')
  async markdown(@Param('name') name: string, @Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    const text = await markdownDocument(`${name}.md`);
    if (text === undefined) throw notFound();
    sendText(response, 'text/markdown', text);
  }

  /** Returns a document as a page. */
  @Get('*path')
  @ApiResponses({ status: 200, mediaType: 'text/html', about: 'The page.' })
  @ApiErrors('NOT_FOUND')
  async document(@Param('path') path: string | readonly string[], @Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    const file = documentAt([path].flat().join('/'));
    const page = file === undefined ? undefined : await documentPage(file);
    if (page === undefined) throw notFound();
    sendPage(response, page);
  }
}

/** Sends a text of the package; Express compares the tag and sends 304 by itself. */
export function sendText(response: HttpResponse, mediaType: string, text: string): void {
  response.set({ 'Cache-Control': 'no-cache', ETag: entityTag(text), 'Content-Type': `${mediaType}; charset=utf-8` });
  response.send(text);
}

function sendPage(response: HttpResponse, { html, etag }: DocumentPage): void {
  response.set({ 'Content-Security-Policy': PAGE_POLICY, 'Cache-Control': 'no-cache', ETag: etag }).type('html');
  response.send(html);
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such document.', 'All documents are listed at /docs and /llms.txt.');
}
