import type { TestApp } from '../../support/create-test-app.js';

/** An operation as the router knows it, with something in the place of each parameter. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Record<string, boolean> };
}

/** Every HTTP operation that the application has, whether or not a test knows of it. */
export function routesOf({ app }: TestApp): Route[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return router.stack.flatMap(({ route }) =>
    Object.keys(route?.methods ?? {}).map((method) => ({ method: method.toUpperCase(), path: route?.path ?? '' })),
  );
}

/** The path with this id for every parameter. */
export function pathWith(route: Route, id: string): string {
  return route.path.replaceAll(/:\w+/g, id);
}
