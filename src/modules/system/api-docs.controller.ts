import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { Answers, Public, Refuses, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
import { AppError } from '../../core/errors/index.js';

const OURS = join(import.meta.dirname, '../../..');
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const START = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: true,
  // Without it the page would send the document to a service that judges it.
  validatorUrl: null,
});
`;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Parley API</title>
    <link rel="icon" type="image/png" href="/api/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/api/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="api"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

const FILES = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);

// Everything is from this server. The page's own program sets styles on what it draws, and its pictures are in its style sheet.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The API described: as OpenAPI, and as a page to try it. Both are files, read when somebody asks for them. */
@Controller('api')
@Public()
export class ApiDocsController {
  /** This description. */
  @Get('openapi.json')
  @Answers({ status: 200, mediaType: 'application/json', about: 'OpenAPI 3.1.' })
  async document(@Req() request: HttpRequest, @Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    await send(request, response, join(OURS, 'docs/reference/openapi.json'));
  }

  /** A page on which every operation can be tried. */
  @Get('docs')
  @Answers({ status: 200, mediaType: 'text/html', about: 'The page.' })
  async page(@Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    response.set('Content-Security-Policy', POLICY).type('html').send(PAGE);
  }

  /** What that page is made of. */
  @Get('docs/:file')
  @Answers({ status: 200, mediaType: '*/*', about: 'A style sheet, a script or a picture.' })
  @Refuses('NOT_FOUND')
  async file(@Param('file') file: string, @Req() request: HttpRequest, @Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    if (file === 'start.js') response.type('js').send(START);
    else if (FILES.has(file)) await send(request, response, join(SWAGGER_UI, file));
    else throw new AppError('NOT_FOUND', 'API endpoint not found', 'The page of the API is /api/docs.');
  }
}

/** Sends a file of ours, again only when it has changed. */
async function send(request: HttpRequest, response: HttpResponse, path: string): Promise<void> {
  response.set('X-Content-Type-Options', 'nosniff');
  await new Promise<void>((resolve, reject) => {
    response.sendFile(path, { cacheControl: false, headers: { 'Cache-Control': 'no-cache' } }, (error?: Error) => {
      // A client that went away has nobody to tell.
      if (error instanceof Error && !response.headersSent && !request.destroyed) reject(error);
      else resolve();
    });
  });
}
