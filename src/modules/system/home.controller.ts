import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { ApiResponses, callerOf, canAccessAgent, Public, ApiErrors, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
import { newId } from '../../core/ids/index.js';
import { AgentsService } from '../agents/index.js';
import { HOME_POLICY, homePage } from './home-page.js';

const MAX_AGENTS = 50;
// Only these hosts are safe in a command that people copy into a shell.
const ADDRESS = /^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i;

/** The page at the root, unless a plugin serves one. */
@Controller()
@Public()
export class HomeController {
  constructor(
    private readonly agents: AgentsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns a page for browsers with the agents and first commands. */
  @Get()
  @ApiResponses({ status: 200, mediaType: 'text/html', about: 'The page, for requests that prefer HTML.' })
  @ApiErrors('NOT_FOUND')
  async home(@Req() request: HttpRequest, @Res({ passthrough: true }) response: HttpResponse): Promise<void> {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) !== 'html') {
      throw new AppError('NOT_FOUND', 'API endpoint not found', 'There is no operation with this method and path.');
    }
    const caller = callerOf(request);
    const reachable = this.agents.list().filter(({ id }) => canAccessAgent(caller, id));
    const shown = reachable.slice(0, MAX_AGENTS).map(({ id, name, status }) => ({ id, name, running: status === 'active' }));
    const page = homePage({
      version: this.config.version,
      url: this.addressFor(request),
      agents: caller.scope === undefined ? undefined : shown,
      more: reachable.length - shown.length,
      needsKey: caller.id !== 'everybody',
      userId: newId(),
    });
    response.set({ 'Content-Security-Policy': HOME_POLICY, 'Cache-Control': 'no-store' }).type('html').send(page);
  }

  private addressFor(request: HttpRequest): string {
    const { publicUrl } = this.config;
    if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
    const host = request.get('host') ?? '';
    return ADDRESS.test(host) ? `${request.protocol}://${host}` : `http://localhost:${request.socket.localPort ?? ''}`;
  }
}
