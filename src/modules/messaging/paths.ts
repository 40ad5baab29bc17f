import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { DeprecatedPaths, type HttpRequest, type HttpResponse } from '../../core/http/index.js';

// RFC 9745: the older paths are deprecated since 2026-01-01.
const DEPRECATED_SINCE = '@1767225600';

/** Paths of a resource's operations: the current path first, then deprecated paths of older clients. */
export const SERVER_PATHS = ['api/messaging/message-servers', 'api/messaging/central-servers', 'api/messaging/servers'];
export const CHANNEL_PATHS = ['api/messaging/channels', 'api/messaging/central-channels'];

/** The deprecated prefix of a path, and its current replacement; undefined for a current path. */
function deprecatedPrefix(path: string): { current: string; used: string } | undefined {
  for (const [current, ...older] of [SERVER_PATHS, CHANNEL_PATHS]) {
    const used = older.find((prefix) => path.slice(1, prefix.length + 1).toLowerCase() === prefix);
    if (used !== undefined) return { current: current!, used };
  }
  return undefined;
}

/** Adds `Deprecation` and `Link` headers to responses of deprecated paths. */
@Injectable()
@DeprecatedPaths((path) => deprecatedPrefix(path) !== undefined)
export class DeprecatedPathGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const { path } = context.switchToHttp().getRequest<HttpRequest>();
    const older = deprecatedPrefix(path);
    if (older) {
      const response = context.switchToHttp().getResponse<HttpResponse>();
      response.set('Deprecation', DEPRECATED_SINCE);
      response.set('Link', `</${older.current}${path.slice(older.used.length + 1)}>; rel="successor-version"`);
    }
    return true;
  }
}
