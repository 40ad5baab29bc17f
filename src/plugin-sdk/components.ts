import type { Content, Memory, State } from './conversation.js';
import type { AgentRuntime, ServiceInstance } from './runtime.js';

export interface ProviderResult {
  readonly text?: string;
  readonly values?: Record<string, unknown>;
  readonly data?: Record<string, unknown>;
}

/** Adds context for the model. It has one second; a provider that is late or fails is skipped. */
export interface Provider {
  readonly name: string;
  readonly description?: string;
  /** True: runs only when `composeState` names it. */
  readonly dynamic?: boolean;
  /** True: runs only when `composeState` names it, and is not listed. */
  readonly private?: boolean;
  /** Position of its text among those of other providers, ascending; 0 by default. */
  readonly position?: number;
  get(runtime: AgentRuntime, message: Memory, state: State): ProviderResult | null | undefined | Promise<ProviderResult | null | undefined>;
}

/** Result of an action. Text, values and data are shown to the model. */
export interface ActionResult {
  /** True by default. */
  readonly success?: boolean;
  readonly text?: string;
  readonly values?: Record<string, unknown>;
  readonly data?: Record<string, unknown>;
  readonly error?: unknown;
}

/** What an action returns: a text and `true` are successes, `false` is a failure. */
export type ActionReturn = ActionResult | string | boolean | null | undefined | void;

export interface ActionContext {
  /** Results of earlier actions of this turn, oldest first. */
  readonly previousResults: readonly ActionResult[];
  getPreviousResult(actionName: string): ActionResult | undefined;
}

/** The model's arguments by name, and these fields: */
export interface HandlerOptions {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly actionContext: ActionContext;
  /** Aborts when the time limit of the action or the turn is exceeded, or the turn is cancelled. */
  readonly abortSignal: AbortSignal;
  /** Identifies this call of this turn, also after a restart of the server: a key for services that must not act twice. */
  readonly idempotencyKey: string;
  readonly [key: string]: unknown;
}

/** Posts a message in the channel as the agent, immediately; resolves with the stored messages. */
export type HandlerCallback = (content: Content | string) => Promise<Memory[]>;

/** An action that the model may call. It is offered unless `validate` returns false. Its result is stored, so it does not run twice. */
export interface Action {
  readonly name: string;
  /** Other names that a model may use for it. */
  readonly similes?: readonly string[];
  readonly description: string;
  /**
   * JSON Schema of the arguments, an object (draft 2020-12 or 7); a list of parameters, which allows no others; or a zod schema (4.2 or
   * newer). By default any JSON object. The handler gets only valid arguments, not coerced; errors are returned to the model.
   */
  readonly parameters?: object | readonly ActionParameter[];
  readonly examples?: readonly unknown[];
  validate?(runtime: AgentRuntime, message: Memory, state?: State): boolean | Promise<boolean>;
  /** An error that it throws becomes a failed result for the model. */
  handler(
    runtime: AgentRuntime,
    message: Memory,
    state?: State,
    options?: HandlerOptions,
    callback?: HandlerCallback,
    responses?: Memory[],
  ): ActionReturn | Promise<ActionReturn>;
}

export interface ActionParameter {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** Evaluates a conversation after the reply, without delaying it. */
export interface Evaluator {
  readonly name: string;
  readonly description?: string;
  readonly similes?: readonly string[];
  /** Run also when the agent stayed silent. */
  readonly alwaysRun?: boolean;
  readonly examples?: readonly unknown[];
  validate?(runtime: AgentRuntime, message: Memory, state?: State): boolean | Promise<boolean>;
  handler(
    runtime: AgentRuntime,
    message: Memory,
    state?: State,
    options?: Readonly<Record<string, unknown>>,
    callback?: HandlerCallback,
    responses?: Memory[],
  ): unknown;
}

/** A service. Each running agent has one instance, started after `init` and stopped when the plugin is unloaded. */
export interface ServiceClass {
  readonly serviceType: string;
  start(runtime: AgentRuntime): Promise<ServiceInstance> | ServiceInstance;
}

/** Optional base class of services. */
export abstract class Service implements ServiceInstance {
  static readonly serviceType: string = '';
  abstract readonly capabilityDescription: string;

  constructor(protected readonly runtime?: AgentRuntime) {}

  abstract stop(): unknown;
}

/** Handles one model type: one of contract 4.6, such as `TEXT_LARGE`, or a plugin's own. */
export type ModelHandler = (runtime: AgentRuntime, params: never) => unknown;
