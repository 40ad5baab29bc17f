import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { HttpRequest } from './express.js';
import { Refuses } from './refuses.decorator.js';
import { UuidPipe } from './validators.js';

/**
 * Looks at the ids in the path before anything looks at the body (the order of contract 9A). The pipes of the single
 * parameters could not: Nest runs those of path and body side by side.
 */
@Injectable()
@Refuses('INVALID_ID')
export class PathIdsGuard implements CanActivate {
  private readonly uuid = new UuidPipe();

  canActivate(context: ExecutionContext): boolean {
    const { params } = context.switchToHttp().getRequest<HttpRequest>();
    for (const [name, value] of Object.entries(params)) this.uuid.transform(String(value), { data: name });
    return true;
  }
}
