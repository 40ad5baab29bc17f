import type { ExecutionContext } from '@nestjs/common';

/** Derives a value from the decorators of an operation and its controller, once for each: reading metadata takes longer than most guards. */
export function onceForOperation<T>(derive: (handler: object, controller: object) => T): (context: ExecutionContext) => T {
  const known = new WeakMap<object, WeakMap<object, { readonly value: T }>>();
  return (context) => {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    let byHandler = known.get(controller);
    if (byHandler === undefined) known.set(controller, (byHandler = new WeakMap()));
    let found = byHandler.get(handler);
    if (found === undefined) byHandler.set(handler, (found = { value: derive(handler, controller) }));
    return found.value;
  };
}
