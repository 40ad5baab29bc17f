import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { MarksOlder, type HttpRequest, type HttpResponse } from '../../core/http/index.js';

// RFC 9745: the instant since which the older paths are deprecated, 2026-01-01.
const DEPRECATED_SINCE = '@1767225600';

/** Where the operations of a resource are. The first path is the one to use; the others are what older clients call. */
export const SERVER_PATHS = ['api/messaging/message-servers', 'api/messaging/central-servers', 'api/messaging/servers'];
export const CHANNEL_PATHS = ['api/messaging/channels', 'api/messaging/central-channels'];

/** The older prefix that a path has, and the one that has taken its place. */
function olderPrefix(path: string): { current: string; used: string } | undefined {
  for (const [current, ...older] of [SERVER_PATHS, CHANNEL_PATHS]) {
    const used = older.find((prefix) => path.slice(1, prefix.length + 1).toLowerCase() === prefix);
    if (used !== undefined) return { current: current!, used };
  }
  return undefined;
}

/** Says in the answer when a path is an older one, and which has taken its place. */
@Injectable()
@MarksOlder((path) => olderPrefix(path) !== undefined)
export class DeprecatedPathGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const { path } = context.switchToHttp().getRequest<HttpRequest>();
    const older = olderPrefix(path);
    if (older) {
      const response = context.switchToHttp().getResponse<HttpResponse>();
      response.set('Deprecation', DEPRECATED_SINCE);
      response.set('Link', `</${older.current}${path.slice(older.used.length + 1)}>; rel="successor-version"`);
    }
    return true;
  }
}
