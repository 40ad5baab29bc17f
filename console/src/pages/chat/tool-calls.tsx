import { useSignal } from '@preact/signals';
import type { ActionCall } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { formatDuration, t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { Dot } from '../../ui/controls.js';
import { Icon } from '../../ui/icon.js';
import { Async } from '../../ui/states.js';
import { Json } from '../../ui/text.js';

/** More of one reply are not shown. */
const MAX_NAMES = 50;
/** Names of actions that only say how a reply was given. */
const REPLYING = new Set(['REPLY', 'NONE', 'IGNORE']);

interface ToolCallsProps {
  readonly agentId: string;
  readonly runId: string;
  /** Calls that the page followed live. */
  readonly calls: readonly ActionCall[] | undefined;
  /** What the stored message names. */
  readonly names: unknown;
}

/** The tools that a reply used; opened, with arguments and results, which only the run knows. */
export function ToolCalls({ agentId, runId, calls, names }: ToolCallsProps): JSX.Element | null {
  const stored = Array.isArray(names)
    ? names.slice(0, MAX_NAMES).filter((name): name is string => typeof name === 'string' && !REPLYING.has(name))
    : [];
  const shown = calls ?? stored.map((action, step): ActionCall => ({ action, step, success: true }));
  const open = useSignal(false);
  if (shown.length === 0) return null;
  const running = shown.some(({ success }) => success === undefined);
  return (
    <details class="tool-calls" onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary class="small row wrap">
        <Icon name="tool" />
        {shown.map(({ step, action, success, durationMs }) => (
          <span key={step} class="badge">
            <Dot tone={success === undefined ? 'busy' : success ? 'ok' : 'bad'} />
            {action}
            {durationMs !== undefined && <span class="faint">{formatDuration(durationMs)}</span>}
          </span>
        ))}
      </summary>
      {open.value && <Details agentId={agentId} runId={runId} version={`${shown.length}${String(running)}`} />}
    </details>
  );
}

function Details({ agentId, runId, version }: { readonly agentId: string; readonly runId: string; readonly version: string }): JSX.Element {
  const run = useLoad(() => parley.call('GET /api/agents/{agentId}/runs/{runId}', { path: { agentId, runId } }), [runId, version]);
  return (
    <Async of={run}>
      {({ events }) => (
        <div class="stack tool-details">
          {events
            .filter(({ type }) => type === 'ACTION_COMPLETED' || type === 'ACTION_STARTED')
            .map(({ type, data }, index) => (
              <Json key={index} label={t(type === 'ACTION_STARTED' ? 'chat.toolCalled' : 'chat.toolReturned')} value={data} />
            ))}
        </div>
      )}
    </Async>
  );
}
