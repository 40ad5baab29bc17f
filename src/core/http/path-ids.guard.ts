import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { HttpRequest } from './express.js';
import { ApiErrors } from './api-errors.decorator.js';
import { UuidPipe } from './validators.js';

/**
 * Validates the ids in the path before the body (the order of contract 9A). Pipes of the parameters cannot do this, because Nest runs the
 * pipes of path and body concurrently.
 */
@Injectable()
@ApiErrors('INVALID_ID')
export class PathIdsGuard implements CanActivate {
  private readonly uuid = new UuidPipe();

  canActivate(context: ExecutionContext): boolean {
    const { params } = context.switchToHttp().getRequest<HttpRequest>();
    for (const [name, value] of Object.entries(params)) this.uuid.transform(String(value), { data: name });
    return true;
  }
}
