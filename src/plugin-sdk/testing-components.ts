import type { ActionResult, HandlerOptions, ProviderResult } from './components.js';
import type { Content, Memory } from './conversation.js';
import type { Plugin } from './plugin.js';
import type { AgentRuntime, OutgoingMessage } from './runtime.js';
import type { TestOptions, TestTurn } from './testing-types.js';
import { testRuntime } from './testing/runtime.js';
import { actionResult, messageOf, namedPart, replyOf, stateOf } from './testing/turn.js';

export interface TestActionCall extends TestTurn {
  /** The model's arguments. They are not checked against the action's `parameters`, which the server does. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Results of earlier actions of the turn, oldest first. */
  readonly previous?: readonly { readonly action: string; readonly result: ActionResult }[];
  readonly idempotencyKey?: string;
}

export interface TestEvaluation extends TestTurn {
  /** Text of the agent's reply; without it the agent stayed silent. */
  readonly reply?: string;
}

/** What a component did. */
export interface TestOutcome {
  /** Messages that it posted with `runtime.sendMessage`, in order. */
  readonly sent: readonly OutgoingMessage[];
  readonly logs: readonly { readonly level: string; readonly message: string }[];
  /** Error that it threw. */
  readonly error?: unknown;
}

export interface TestActionOutcome extends TestOutcome {
  /** Whether `validate` let the model call it; the handler runs only then. */
  readonly offered: boolean;
  /** As the server shows it to the model: a text is a success with that text, an exception a failure. Absent when it was not offered. */
  readonly result?: ActionResult;
  /** Contents that it posted with its callback, in order. */
  readonly said: readonly Content[];
}

export interface TestProviderOutcome extends TestOutcome {
  /** Null when it contributed nothing or threw. */
  readonly result: ProviderResult | null;
}

export interface TestEvaluatorOutcome extends TestOutcome {
  /** Whether the handler ran: the agent replied or `alwaysRun` is set, and `validate` did not return false. */
  readonly ran: boolean;
}

/** Asks an action's `validate`, and calls its handler unless that returned false. @throws Error when the plugin has no such action */
export async function runAction(
  plugin: Plugin,
  name: string,
  call: TestActionCall = {},
  options: TestOptions = {},
): Promise<TestActionOutcome> {
  const action = namedPart(plugin, 'action', plugin.actions, name);
  const said: Content[] = [];
  let result: ActionResult | undefined;
  const outcome = await run(plugin, options, async (runtime) => {
    const message = messageOf(runtime, call);
    const state = stateOf(call);
    if ((await action.validate?.(runtime, message, state)) === false) return;
    result = { success: false };
    const callback = async (given: Content | string): Promise<Memory[]> => {
      const content: Content = typeof given === 'string' ? { text: given } : given;
      if ((content.text ?? '').trim() === '' && !content.attachments?.length) return [];
      said.push(content);
      return [replyOf(runtime, message, content, said.length)];
    };
    result = actionResult(await action.handler(runtime, message, state, handlerOptions(call, runtime.abortSignal), callback, []));
  });
  if (result && outcome.error !== undefined) result = actionResult({ success: false, error: outcome.error });
  return { ...outcome, offered: result !== undefined, said, ...(result === undefined ? {} : { result }) };
}

/** Calls a provider. @throws Error when the plugin has no such provider */
export async function runProvider(
  plugin: Plugin,
  name: string,
  turn: TestTurn = {},
  options: TestOptions = {},
): Promise<TestProviderOutcome> {
  const provider = namedPart(plugin, 'provider', plugin.providers, name);
  let result: ProviderResult | null = null;
  const outcome = await run(plugin, options, async (runtime) => {
    result = (await provider.get(runtime, messageOf(runtime, turn), stateOf(turn))) ?? null;
  });
  return { ...outcome, result };
}

/** Calls an evaluator as after a reply, or after silence. @throws Error when the plugin has no such evaluator */
export async function runEvaluator(
  plugin: Plugin,
  name: string,
  turn: TestEvaluation = {},
  options: TestOptions = {},
): Promise<TestEvaluatorOutcome> {
  const evaluator = namedPart(plugin, 'evaluator', plugin.evaluators, name);
  let ran = false;
  const outcome = await run(plugin, options, async (runtime) => {
    const message = messageOf(runtime, turn);
    const replies = turn.reply === undefined ? [] : [replyOf(runtime, message, { text: turn.reply }, 1)];
    if (replies.length === 0 && evaluator.alwaysRun !== true) return;
    if ((await evaluator.validate?.(runtime, message, stateOf(turn))) === false) return;
    ran = true;
    await evaluator.handler(runtime, message, stateOf(turn), { didRespond: replies.length > 0 }, () => Promise.resolve([]), replies);
  });
  return { ...outcome, ran };
}

function handlerOptions(
  { parameters = {}, previous = [], idempotencyKey = 'test-call' }: TestActionCall,
  abortSignal: AbortSignal,
): HandlerOptions {
  const actionContext = {
    previousResults: previous.map(({ result }) => result),
    getPreviousResult: (wanted: string) => previous.findLast(({ action }) => action === wanted)?.result,
  };
  return { ...parameters, parameters, actionContext, abortSignal, idempotencyKey };
}

/** Calls a component with a runtime that ends with the call. */
async function run(plugin: Plugin, options: TestOptions, call: (runtime: AgentRuntime) => Promise<void>): Promise<TestOutcome> {
  const ended = new AbortController();
  const { runtime, sent, logs } = testRuntime(plugin, options, ended.signal);
  try {
    await call(runtime);
    return { sent, logs };
  } catch (error) {
    return { sent, logs, error: error ?? new Error('nothing was thrown') };
  } finally {
    ended.abort();
  }
}
