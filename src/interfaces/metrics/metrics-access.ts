import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import type { HttpRequest, HttpResponse } from '../../core/http/index.js';
import { AccessService, credentialsOf, RateLimits, tokenIn } from '../../modules/access/index.js';

/** What reading metrics requires: METRICS_TOKEN, or a key with the scope `read` that is not limited to some agents. */
@Injectable()
export class MetricsAccess {
  private readonly token: Buffer | undefined;

  constructor(
    private readonly access: AccessService,
    private readonly limits: RateLimits,
    @Inject(CONFIG) { metricsToken }: Config,
  ) {
    this.token = metricsToken === undefined ? undefined : digest(metricsToken);
  }

  /**
   * Only wrong credentials count towards a rate limit, so that a stranger cannot try out keys here.
   *
   * @throws AppError UNAUTHORIZED, FORBIDDEN, RATE_LIMIT_EXCEEDED
   */
  async check(request: HttpRequest, response: HttpResponse): Promise<void> {
    const credentials = credentialsOf(request);
    const given = tokenIn(credentials);
    if (this.token !== undefined && given !== undefined && timingSafeEqual(digest(given), this.token)) return;
    // A server without API_KEY trusts its callers, unless the operator has asked for a token.
    if (!this.access.isRequired && this.token === undefined) return;
    const address = request.ip ?? '';
    if (!this.access.isRequired) {
      if (given !== undefined) await this.limits.consume('credentials', { id: 'nobody' }, address, response);
      throw new AppError('UNAUTHORIZED', 'The token for metrics is missing or wrong.', 'Send METRICS_TOKEN as Authorization: Bearer.');
    }
    const caller = await this.access.identify(credentials);
    if (caller.refusal !== undefined) await this.limits.consume('credentials', caller, address, response);
    await this.access.check(caller, { scope: 'read', forLimited: false, inSession: false, params: {}, inputs: [] });
  }
}

/** Of equal length for all tokens, so that the comparison says nothing about them. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
