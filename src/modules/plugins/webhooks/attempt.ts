import type { Cancel, Clock } from '../../../core/clock/index.js';
import type { AgentRuntime, RouteHandler, RouteRequest } from '../../../plugin-sdk/index.js';
import { RecordedAnswer } from './recorded-answer.js';

interface Attempt {
  readonly handler: RouteHandler;
  readonly request: RouteRequest;
  readonly runtime: AgentRuntime;
  readonly limitMs: number;
  /** Whether a handler that has returned still has to answer. */
  readonly awaitsAnswer: boolean;
}

/** How a call of a handler ended: `answer` is there unless it threw or took too long. */
type Result = { readonly answer: RecordedAnswer; readonly error?: string } | { readonly error: string; readonly cause?: unknown };

/** Calls a handler once, within its limit. Never rejects. */
export async function attempt({ handler, request, runtime, limitMs, awaitsAnswer }: Attempt, clock: Clock): Promise<Result> {
  const answer = new RecordedAnswer();
  let cancel: Cancel = () => undefined;
  const limit = new Promise<Result>((resolve) => {
    cancel = clock.after(limitMs, () => resolve({ error: `the handler did not end within ${limitMs} ms` }));
  });
  const call = async (): Promise<Result> => {
    try {
      await handler(request, answer, runtime);
    } catch (cause) {
      return { error: messageOf(cause), cause };
    }
    if (awaitsAnswer) await answer.ended;
    return answer.statusCode >= 400 ? { answer, error: `the handler answered ${answer.statusCode}` } : { answer };
  };
  try {
    return await Promise.race([call(), limit]);
  } finally {
    cancel();
  }
}

/** What a handler threw may come from another realm, where it is no `Error` of ours. */
function messageOf(thrown: unknown): string {
  const message = (thrown as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(thrown);
}
