import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { FinishedSpan } from '../../core/telemetry/index.js';

type HrTime = ReadableSpan['startTime'];

// The enumerations of OpenTelemetry, which is loaded only where it is installed.
const KINDS = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } as const;
const UNSET = 0;
const ERROR = 2;

/** A span in the form that OpenTelemetry's processors and exporters take. */
export function toReadableSpan(
  { name, kind, context, parent, startedAt, durationMs, attributes, failed }: FinishedSpan,
  resource: ReadableSpan['resource'],
  instrumentationScope: ReadableSpan['instrumentationScope'],
): ReadableSpan {
  const own = spanContextOf(context);
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => own,
    ...(parent ? { parentSpanContext: { ...spanContextOf(parent), isRemote: parent.origin === undefined } } : {}),
    startTime: toHrTime(startedAt),
    endTime: toHrTime(startedAt + durationMs),
    duration: toHrTime(durationMs),
    status: { code: failed ? ERROR : UNSET },
    attributes: attributes as ReadableSpan['attributes'],
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function spanContextOf({ traceId, spanId, sampled, state }: FinishedSpan['context']): ReturnType<ReadableSpan['spanContext']> {
  const traceState = state === undefined ? undefined : stateOf(state);
  return { traceId, spanId, traceFlags: sampled ? 1 : 0, ...(traceState ? { traceState } : {}) };
}

/** Exporters only write it. */
function stateOf(text: string): ReturnType<ReadableSpan['spanContext']>['traceState'] {
  const members = new Map(
    text.split(',').map((member): [string, string] => [member.slice(0, member.indexOf('=')), member.slice(member.indexOf('=') + 1)]),
  );
  const state = { get: (key: string) => members.get(key), serialize: () => text, set: () => state, unset: () => state };
  return state;
}

/** @param ms milliseconds with fractions; a double holds an instant to a quarter of a microsecond */
function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
