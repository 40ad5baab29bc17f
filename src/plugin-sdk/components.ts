import type { Content, Memory, State } from './conversation.js';
import type { AgentRuntime, ServiceInstance } from './runtime.js';

export interface ProviderResult {
  readonly text?: string;
  readonly values?: Record<string, unknown>;
  readonly data?: Record<string, unknown>;
}

/** Adds to what the model sees. It has one second; one that is late or fails is left out of the answer. */
export interface Provider {
  readonly name: string;
  readonly description?: string;
  /** True: only when `composeState` names it. */
  readonly dynamic?: boolean;
  /** True: only when `composeState` names it, and in no list. */
  readonly private?: boolean;
  /** Place of its text among the others', ascending; 0 when absent. */
  readonly position?: number;
  get(runtime: AgentRuntime, message: Memory, state: State): ProviderResult | null | undefined | Promise<ProviderResult | null | undefined>;
}

/** What came of an action. Text, values and data are shown to the model. */
export interface ActionResult {
  /** True when absent. */
  readonly success?: boolean;
  readonly text?: string;
  readonly values?: Record<string, unknown>;
  readonly data?: Record<string, unknown>;
  readonly error?: unknown;
}

export interface ActionContext {
  /** Of this turn so far, oldest first. */
  readonly previousResults: readonly ActionResult[];
  getPreviousResult(actionName: string): ActionResult | undefined;
}

/** The model's arguments, by their names, and beside them: */
export interface HandlerOptions {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly actionContext: ActionContext;
  /** Aborts when the action's or the turn's time is up, or the turn is cancelled. */
  readonly abortSignal: AbortSignal;
  /** The same for the same call of the same turn, also when the server stopped in between: a key for whoever must not act twice. */
  readonly idempotencyKey: string;
  readonly [key: string]: unknown;
}

/** Says something in the channel, as the agent, at once; resolves with what was stored. */
export type HandlerCallback = (content: Content | string) => Promise<Memory[]>;

/** Something the model may do. It is offered when `validate` does not say no, and what it did is recorded: it is not done again. */
export interface Action {
  readonly name: string;
  /** Other names under which a model may call it. */
  readonly similes?: readonly string[];
  readonly description: string;
  /**
   * JSON Schema of the arguments (draft 2020-12 or 7), an object; a list of parameters, which allows no others; or a zod schema (4.2 or
   * newer). None: any JSON object. The handler gets only what these allow, uncoerced; the model is told what is wrong.
   */
  readonly parameters?: object | readonly ActionParameter[];
  readonly examples?: readonly unknown[];
  validate?(runtime: AgentRuntime, message: Memory, state?: State): boolean | Promise<boolean>;
  /** What it throws becomes a failed result that the model sees. */
  handler(
    runtime: AgentRuntime,
    message: Memory,
    state?: State,
    options?: HandlerOptions,
    callback?: HandlerCallback,
    responses?: Memory[],
  ): unknown;
}

export interface ActionParameter {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** Looks at a conversation after the reply; never delays it. */
export interface Evaluator {
  readonly name: string;
  readonly description?: string;
  readonly similes?: readonly string[];
  /** Also when the agent stayed silent. */
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

/** A service: one instance for each running agent, started after `init` and stopped when the plugin is unloaded. */
export interface ServiceClass {
  readonly serviceType: string;
  start(runtime: AgentRuntime): Promise<ServiceInstance> | ServiceInstance;
}

/** What a service may extend. */
export abstract class Service implements ServiceInstance {
  static readonly serviceType: string = '';
  abstract readonly capabilityDescription: string;

  constructor(protected readonly runtime?: AgentRuntime) {}

  abstract stop(): unknown;
}

/** Types of contract 4.6, such as `TEXT_LARGE`, or a plugin's own. */
export type ModelHandler = (runtime: AgentRuntime, params: never) => unknown;
