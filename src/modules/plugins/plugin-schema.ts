import { z } from 'zod';
import type { Plugin, Route } from '../../plugin-sdk/index.js';
import { argumentsValidator } from '../turns/index.js';
import { unreadMembers } from './plugin-members.js';

const callable = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', 'must be a function');

/** A member that is read, or that elizaOS defines, and that every value suits. */
const any = z.unknown().optional();

const settingName = z.string().min(1);
const webhook = z
  .looseObject({
    verify: z.union([z.enum(['github', 'stripe', 'slack', 'discord', 'standard']), callable]),
    secret: z.union([settingName, z.array(settingName).min(1)]).optional(),
    dedupe: z.union([z.string().min(1), callable]).optional(),
    mode: z.enum(['inline', 'ack']).optional(),
    toleranceSeconds: z.number().min(0).optional(),
    attempts: z.number().int().min(1).max(100).optional(),
    backoffMs: z.number().int().min(0).optional(),
  })
  .refine(({ verify, secret }) => typeof verify === 'function' || secret !== undefined, {
    path: ['secret'],
    message: 'must name a setting',
  });

const route = z
  .looseObject({
    type: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'STATIC']),
    path: z.string().min(1).max(500),
    handler: callable.optional(),
    filePath: z.string().min(1).optional(),
    public: z.boolean().optional(),
    name: z.string().optional(),
    isMultipart: z.boolean().optional(),
    timeoutMs: z.number().int().min(1).max(3_600_000).optional(),
    maxBytes: z.number().int().min(1).optional(),
    webhook: webhook.optional(),
  })
  .superRefine(({ type, handler, filePath, ...rest }, context) => {
    // Signatures cover the raw body, which multipart and STATIC routes do not have.
    if (rest.webhook && (type === 'STATIC' || rest.isMultipart === true)) {
      context.addIssue({ code: 'custom', path: ['webhook'], message: 'is not for a STATIC or multipart route' });
    }
    if (type === 'STATIC' && filePath === undefined) {
      context.addIssue({ code: 'custom', path: ['filePath'], message: 'is needed by a STATIC route' });
    }
    if (type !== 'STATIC' && handler === undefined) {
      context.addIssue({ code: 'custom', path: ['handler'], message: `is needed by a ${type} route` });
    }
  });

const named = { name: z.string().min(1) };
const described = { ...named, description: any };
const action = z.looseObject({
  ...named,
  description: z.string(),
  similes: z.array(z.string()).optional(),
  examples: any,
  parameters: z
    .union([
      z.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
      z.array(z.looseObject({ ...described, required: any, schema: any })),
    ])
    .superRefine((parameters, context) => {
      try {
        argumentsValidator(parameters);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
      }
    })
    .optional(),
  validate: callable.optional(),
  handler: callable,
});
const provider = z.looseObject({ ...described, dynamic: any, private: any, position: z.number().optional(), get: callable });
const toolSource = z.looseObject({ ...described, tools: callable });
const evaluator = z.looseObject({
  ...described,
  similes: any,
  examples: any,
  alwaysRun: any,
  validate: callable.optional(),
  handler: callable,
});
const service = z.custom<object>(
  (value) => typeof value === 'function' && hasText(value, 'serviceType') && typeof (value as { start?: unknown }).start === 'function',
  'must be a class with a static serviceType and a static start',
);

const configValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const configField = z.looseObject({
  description: z.string().optional(),
  default: configValue.optional(),
  required: z.boolean().optional(),
  secret: z.boolean().optional(),
  type: z.enum(['string', 'number', 'boolean']).optional(),
});

/** A plugin part that Parley does not support. */
const unsupported = (why: string): z.ZodType => z.custom((value) => value === undefined || value === null, why).optional();

const plugin = z.looseObject({
  name: z.string().regex(/^(@[a-z0-9._-]+\/)?[a-z0-9][a-z0-9._-]*$/i, 'must be a package-like name: letters, digits, ".", "_", "-"'),
  description: z.string().optional(),
  version: z.string().optional(),
  compatibility: z.string().optional(),
  // An undefined value comes from a plugin that reads the environment itself.
  config: z.record(z.string(), z.union([configValue, configField, z.undefined()])).optional(),
  dependencies: z.array(z.string()).optional(),
  priority: z.number().optional(),
  routes: z.array(route).optional(),
  actions: z.array(action).optional(),
  providers: z.array(provider).optional(),
  evaluators: z.array(evaluator).optional(),
  toolSources: z.array(toolSource).optional(),
  services: z.array(service).optional(),
  events: z.record(z.string(), z.array(callable)).optional(),
  models: z.record(z.string(), callable).optional(),
  init: callable.optional(),
  dispose: callable.optional(),
  adapter: unsupported('is a database adapter, which Parley does not support'),
  schema: unsupported('is a database schema, and plugins cannot have tables: store data in runtime.store'),
  // Of elizaOS, without effect.
  tests: any,
  testDependencies: any,
  componentTypes: any,
});

function hasText(value: object, key: string): boolean {
  const text = (value as Record<string, unknown>)[key];
  return typeof text === 'string' && text !== '';
}

/** Validates a component that a plugin registers at run time. @throws Error that explains the problem */
export function assertComponent(kind: 'action' | 'provider' | 'evaluator', part: unknown): void {
  const errors = errorsOf({ action, provider, evaluator }[kind], part, kind);
  if (errors.length > 0) throw new Error(`its ${kind} is not valid: ${errors.join('; ')}`);
}

/** Members of a valid plugin that Parley does not read, by their paths. */
export function unreadPaths(valid: Plugin): string[] {
  return unreadMembers(plugin, valid).map(({ path }) => path);
}

function errorsOf(schema: z.ZodType, value: unknown, whole: string): string[] {
  const misspelt = unreadMembers(schema, value).flatMap(({ path, suggestion }) =>
    suggestion === undefined ? [] : [`${path} is not known; did you mean ${suggestion}?`],
  );
  const { error } = schema.safeParse(value);
  return [...misspelt, ...(error?.issues ?? []).map(({ path, message }) => `${path.join('.') || whole} ${message}`)];
}

/** Whether a value is probably a plugin: an object with a name. */
function looksLikePlugin(value: unknown): value is { name: string } {
  return typeof value === 'object' && value !== null && typeof (value as { name?: unknown }).name === 'string';
}

/**
 * Extracts the plugin from a module: its default export, or the only plugin object among its exports.
 *
 * @throws Error that explains the problem to the plugin's author
 */
export function extractPlugin(exports: Record<string, unknown>): Plugin {
  const unwrapped = unwrapDefault(exports['default']);
  const named = Object.values(exports).filter(looksLikePlugin);
  // With `module.exports = plugin`, the exports object is the plugin.
  const candidates = looksLikePlugin(unwrapped) ? [unwrapped] : named.length > 0 ? named : [exports].filter(looksLikePlugin);
  const [candidate, ...others] = [...new Set(candidates)];
  if (!candidate) throw new Error('it exports no plugin: export one object with a name, for example as the default export');
  if (others.length > 0) throw new Error(`it exports ${others.length + 1} plugins: make one of them the default export`);
  const errors = errorsOf(plugin, candidate, 'plugin');
  if (errors.length > 0) throw new Error(`its plugin object is not valid: ${errors.join('; ')}`);
  // Return the author's object instead of the parsed copy, because handlers may rely on `this`.
  return candidate;
}

export function routesOf({ routes }: Plugin): readonly Route[] {
  return routes ?? [];
}

/** CommonJS builds of ES modules wrap their default export again, and so does importing them. */
function unwrapDefault(value: unknown, depth = 0): unknown {
  if (looksLikePlugin(value) || typeof value !== 'object' || value === null || !('default' in value) || depth > 2) return value;
  return unwrapDefault(value.default, depth + 1);
}
