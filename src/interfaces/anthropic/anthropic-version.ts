import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { currentRequestId } from '../../core/context/request-context.js';
import { ApiErrors, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
import { refuseField } from '../../modules/protocols/index.js';

const OLDEST = '2023-06-01';

/**
 * Refuses versions of the protocol before the oldest one; every later one is served alike, and so is a request without the header. Sets the
 * header in which clients of Anthropic look for the id of the request.
 */
@Injectable()
@ApiErrors('VALIDATION_ERROR')
export class AnthropicVersionGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const http = context.switchToHttp();
    const requestId = currentRequestId();
    if (requestId !== undefined) http.getResponse<HttpResponse>().set('request-id', requestId);
    const version = http.getRequest<HttpRequest>().get('anthropic-version');
    if (version === undefined || (isDate(version) && version >= OLDEST)) return true;
    return refuseField('anthropic-version', `must be a date such as ${OLDEST}, and not an earlier one`);
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
