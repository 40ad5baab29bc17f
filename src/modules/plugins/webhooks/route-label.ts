import type { MountedRoute } from '../route-table.js';

/** Identifies a route within its plugin, as stored in deliveries. */
export function routeLabel({ route, path }: MountedRoute): string {
  return `${route.type} ${path}`;
}
