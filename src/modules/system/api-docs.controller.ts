import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiResponses, fileContent, Public, ApiErrors, sendContent, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
import { AppError } from '../../core/errors/index.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const START = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: true,
  // Disables the external validator, which would receive the document.
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

// Only this server's resources. Swagger UI sets inline styles, and its style sheet contains data: images.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The OpenAPI document and Swagger UI, served from files. */
@Controller('api')
@Public()
export class ApiDocsController {
  /** Returns the OpenAPI document. */
  @Get('openapi.json')
  @ApiResponses({ status: 200, mediaType: 'application/json', about: 'OpenAPI 3.1.' })
  async document(@Req() request: HttpRequest, @Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    await send(request, response, join(ROOT, 'docs/reference/openapi.json'));
  }

  /** Returns a page that lists and calls all operations. */
  @Get('docs')
  @ApiResponses({ status: 200, mediaType: 'text/html', about: 'The page.' })
  async page(@Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    response.set('Content-Security-Policy', POLICY).type('html').send(PAGE);
  }

  /** Returns a resource of that page. */
  @Get('docs/:file')
  @ApiResponses({ status: 200, mediaType: '*/*', about: 'A style sheet, a script or an image.' })
  @ApiErrors('NOT_FOUND')
  async file(@Param('file') file: string, @Req() request: HttpRequest, @Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    if (file === 'start.js') response.type('js').send(START);
    else if (FILES.has(file)) await send(request, response, join(SWAGGER_UI, file));
    else throw new AppError('NOT_FOUND', 'API endpoint not found', 'The API documentation is at /api/docs.');
  }
}

/** Sends a file of this installation; clients revalidate it on each use. */
async function send(request: HttpRequest, response: HttpResponse, path: string): Promise<void> {
  const content = await fileContent(path);
  if (!content) throw new Error(`${path} is missing`);
  response.set({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' }).type(content.extension);
  await sendContent(request, response, content);
}
