import { Injectable, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/**
 * The interface that the classes of each kind of hook implement. The module that calls a kind adds it by declaration merging:
 * `interface HookKinds { messagePolicies: MessagePolicy }`.
 */
export interface HookKinds {}

/** Hook classes of a module, by kind. They are providers of the module. */
export type HookClasses = { readonly [K in keyof HookKinds]?: readonly Type<HookKinds[K]>[] };

const classes = new Map<string, Set<Type>>();

/** Registers the hooks of a module. A kind whose order matters has an `order` of its own. */
export function registerHooks(hooks: HookClasses): void {
  for (const [kind, added] of Object.entries(hooks) as [string, readonly Type[]][]) {
    const known = classes.get(kind) ?? new Set();
    for (const each of added) known.add(each);
    classes.set(kind, known);
  }
}

/** The classes of a kind, of all loaded modules. */
export function hookClasses(kind: keyof HookKinds): readonly Type[] {
  return [...(classes.get(kind) ?? [])];
}

/** Looks up the hooks of a kind among the providers of this application. */
@Injectable()
export class Hooks {
  constructor(private readonly modules: ModulesContainer) {}

  /**
   * The instances of a kind, in no particular order, for modules that this application imports. Available from `onModuleInit` on,
   * not in constructors.
   */
  of<K extends keyof HookKinds>(kind: K): HookKinds[K][] {
    return [...(classes.get(kind) ?? [])].flatMap((each) => this.instanceOf(each)) as HookKinds[K][];
  }

  private instanceOf(type: Type): unknown[] {
    for (const module of this.modules.values()) {
      const provider = module.providers.get(type);
      if (provider) return [provider.instance];
    }
    return [];
  }
}
