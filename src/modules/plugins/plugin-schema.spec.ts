import { describe, expect, it } from '@jest/globals';
import { assertComponent, extractPlugin, unreadPaths } from './plugin-schema.js';

const handler = (): undefined => undefined;
const route = { type: 'POST', path: '/x', handler };
const action = { name: 'A', description: 'x', handler };

const extract = (plugin: object): unknown => extractPlugin({ default: { name: 'x', ...plugin } });

/** Plugins with a misspelt member, which the path names, and the member that is meant. */
const MISSPELT: [path: string, meant: string, plugin: object][] = [
  ['action', 'actions', { action: [action] }],
  ['Actions', 'actions', { Actions: [action] }],
  ['provider', 'providers', { provider: [] }],
  ['evaluater', 'evaluators', { evaluater: [] }],
  ['service', 'services', { service: [] }],
  ['event', 'events', { event: {} }],
  ['tool_sources', 'toolSources', { tool_sources: [] }],
  ['dependancies', 'dependencies', { dependancies: [] }],
  ['confg', 'config', { confg: {} }],
  ['routes.0.handlr', 'handler', { routes: [{ type: 'GET', path: '/x', handlr: handler }] }],
  [
    'routes.1.multipart',
    'isMultipart',
    {
      routes: [
        { ...route, path: '/y' },
        { ...route, multipart: true },
      ],
    },
  ],
  ['routes.0.timeout', 'timeoutMs', { routes: [{ ...route, timeout: 1 }] }],
  ['routes.0.pulic', 'public', { routes: [{ ...route, pulic: true }] }],
  ['routes.0.webhok', 'webhook', { routes: [{ ...route, webhok: {} }] }],
  ['routes.0.webhook.secrets', 'secret', { routes: [{ ...route, webhook: { verify: handler, secrets: 'S' } }] }],
  ['routes.0.webhook.dedup', 'dedupe', { routes: [{ ...route, webhook: { verify: 'github', secret: 'S', dedup: 'x' } }] }],
  ['actions.0.handle', 'handler', { actions: [{ name: 'A', description: 'x', handle: handler }] }],
  ['actions.0.paramaters', 'parameters', { actions: [{ ...action, paramaters: {} }] }],
  ['actions.0.parameters.0.requird', 'required', { actions: [{ ...action, parameters: [{ name: 'p', requird: true }] }] }],
  ['providers.0.dynamik', 'dynamic', { providers: [{ name: 'P', get: handler, dynamik: true }] }],
  ['evaluators.0.alwaysrun', 'alwaysRun', { evaluators: [{ name: 'E', handler, alwaysrun: true }] }],
  ['toolSources.0.tool', 'tools', { toolSources: [{ name: 'T', tool: handler }] }],
  ['config.KEY.secrt', 'secret', { config: { KEY: { secrt: true } } }],
  ['config.KEY.desc', 'description', { config: { KEY: { desc: 'x' } } }],
];

describe('a plugin', () => {
  it.each(MISSPELT)('with the member %s is refused, and %s is suggested', (path, meant, plugin) => {
    expect(() => extract(plugin)).toThrow(`${path} is not known; did you mean ${meant}?`);
  });

  it('of elizaOS may have additional members', () => {
    const plugin = {
      ...{ tests: [], testDependencies: [], componentTypes: [], displayName: 'X', app: {} },
      actions: [{ ...action, examples: [], effects: {}, suppressInitialMessage: true }],
      providers: [{ name: 'P', description: 'x', dynamic: true, private: true, position: 1, relevanceKeywords: [], get: handler }],
      evaluators: [{ name: 'E', description: 'x', similes: [], examples: [], alwaysRun: true, handler }],
      events: { RUN_ENDD: [handler] },
      models: { TEXT_LARG: handler },
    };
    const paths = ['displayName', 'app', 'actions.0.effects', 'actions.0.suppressInitialMessage', 'providers.0.relevanceKeywords'];
    expect(unreadPaths(extract(plugin) as Parameters<typeof unreadPaths>[0]).sort()).toEqual(paths.sort());
  });

  it('may register no component with a misspelt member at run time', () => {
    expect(() => assertComponent('action', { ...action, similies: [] })).toThrow('similies is not known; did you mean similes?');
    expect(() => assertComponent('provider', { name: 'P', get: handler })).not.toThrow();
  });
});
