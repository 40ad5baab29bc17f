import { withTimeout, type Clock } from '../../../core/clock/index.js';
import { errorMessage } from '../../../core/errors/index.js';
import type { AgentRuntime, RouteHandler, RouteRequest } from '../../../plugin-sdk/index.js';
import { BufferedResponse } from './buffered-response.js';

interface HandlerCall {
  readonly handler: RouteHandler;
  readonly request: RouteRequest;
  readonly runtime: AgentRuntime;
  readonly limitMs: number;
  /** Whether to wait for the response after the handler has returned. */
  readonly awaitsResponse: boolean;
}

/** The result of a handler call; `response` is absent when the handler threw or timed out. */
type Result = { readonly response: BufferedResponse; readonly error?: string } | { readonly error: string; readonly cause?: unknown };

/** Calls a handler once, within its time limit. Never rejects. */
export async function callHandler({ handler, request, runtime, limitMs, awaitsResponse }: HandlerCall, clock: Clock): Promise<Result> {
  const response = new BufferedResponse();
  const call = async (): Promise<Result> => {
    try {
      await handler(request, response, runtime);
    } catch (cause) {
      return { error: errorMessage(cause), cause };
    }
    if (awaitsResponse) await response.ended;
    return response.statusCode >= 400 ? { response, error: `the handler answered ${response.statusCode}` } : { response };
  };
  try {
    return await withTimeout(clock, limitMs, call, { message: 'the handler did not end' });
  } catch (error) {
    return { error: errorMessage(error) };
  }
}
