import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { ApiErrors, ApiResponses, Public, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
import { sendAsset, sendPage, wantsPage } from './console-files.js';

/** The console in a browser. The page holds no data: what it shows, it asks the API for with the credential of its reader. */
@Controller()
@Public()
export class ConsoleController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Returns the console, to browsers. */
  @Get()
  @ApiResponses(
    { status: 200, mediaType: 'text/html', about: 'The page, for requests that prefer HTML.' },
    { status: 503, mediaType: 'text/html', about: 'The console is not built.' },
  )
  @ApiErrors('NOT_FOUND')
  async page(@Req() request: HttpRequest, @Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    response.vary('Accept');
    if (!wantsPage(request, this.config)) throw notFound();
    await sendPage(request, response);
  }

  /** Returns a script, style sheet, font or picture of the console. */
  @Get('console-assets/:file')
  @ApiResponses({ status: 200, mediaType: '*/*', about: 'The file. Its name changes with its content.' })
  @ApiErrors('NOT_FOUND')
  async asset(@Param('file') file: string, @Req() request: HttpRequest, @Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    if (this.config.console === 'off' || !(await sendAsset(request, response, file))) throw notFound();
  }
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'API endpoint not found', 'There is no operation with this method and path.');
}
