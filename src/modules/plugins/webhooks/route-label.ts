import type { MountedRoute } from '../route-table.js';

/** The name of a route among its plugin's, as deliveries keep it. */
export function routeLabel({ route, path }: MountedRoute): string {
  return `${route.type} ${path}`;
}
