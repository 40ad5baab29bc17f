import './why.css';
import type { RunView } from '@parley/client';
import type { JSX } from 'preact';
import { parley } from '../api.js';
import { useLoad } from '../load.js';
import { Async } from '../ui/states.js';
import { Json } from '../ui/text.js';

const LIVE_MS = 700;

interface WhyProps {
  readonly agentId: string;
  readonly runId: string;
  /** Loads again while the run is not finished. */
  readonly live?: boolean;
}

/** Why an answer is what it is: the run of the turn, while it happens and afterwards. */
export function Why({ agentId, runId, live = false }: WhyProps): JSX.Element {
  const run = useLoad(() => parley.call('GET /api/agents/{agentId}/runs/{runId}', { path: { agentId, runId } }), [agentId, runId], {
    ...(live && { everyMs: LIVE_MS, until: ({ summary }: RunView) => summary.status !== 'started' }),
  });
  return (
    <Async of={run}>
      {({ events }) => (
        <div class="why">
          <Json value={events} />
        </div>
      )}
    </Async>
  );
}
