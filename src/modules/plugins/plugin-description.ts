import type { ConfigField, Plugin } from '../../plugin-sdk/index.js';
import type { LoadedPlugin } from './loaded-plugin.js';
import type { PluginComponentView, PluginSettingView } from './plugins.dto.js';

/** What a plugin brings besides routes, in the order of kinds. */
export function describeComponents({ actions, providers, evaluators, toolSources, services, models }: Plugin): PluginComponentView[] {
  const named = (kind: PluginComponentView['kind'], all: readonly { name: string; description?: string }[] = []): PluginComponentView[] =>
    all.map(({ name, description }) => ({ kind, name, description: description ?? '' }));
  return [
    ...named('action', actions),
    ...named('provider', providers),
    ...named('evaluator', evaluators),
    ...named('toolSource', toolSources),
    ...(services ?? []).map(({ serviceType: name }) => ({ kind: 'service' as const, name, description: '' })),
    ...Object.keys(models ?? {}).map((name) => ({ kind: 'model' as const, name, description: '' })),
  ];
}

/** The settings that a plugin or its package declares, without their values. */
export function describeSettings({ plugin: { config = {} }, context }: LoadedPlugin): PluginSettingView[] {
  const names = new Set([...Object.keys(config), ...context.secrets, ...context.required, ...context.values.keys()]);
  return [...names].map((name) => {
    const declared = config[name];
    const field: ConfigField = typeof declared === 'object' && declared !== null ? declared : {};
    return {
      name,
      description: field.description ?? '',
      required: field.required === true || context.required.includes(name),
      secret: context.secrets.includes(name),
      set: (context.values.get(name) ?? null) !== null,
    };
  });
}
