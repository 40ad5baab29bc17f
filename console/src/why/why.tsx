import './why.css';
import type { RunView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../api.js';
import { formatCost, formatDuration, formatNumber, t } from '../i18n.js';
import { useLoad } from '../load.js';
import { Badge, type Tone } from '../ui/controls.js';
import { Async } from '../ui/states.js';
import { Time } from '../ui/text.js';
import { Actions } from './actions.js';
import { PromptSent } from './prompt-sent.js';
import { Reasoning } from './reasoning.js';
import { Used } from './used.js';
import { Waterfall } from './waterfall.js';

const LIVE_MS = 700;
const TONES: Readonly<Record<RunView['summary']['status'], Tone>> = { started: 'info', completed: 'ok', timeout: 'bad', error: 'bad' };

interface WhyProps {
  readonly agentId: string;
  readonly runId: string;
  /** Loads again while the run is not finished. */
  readonly live?: boolean;
}

/** Why a reply is what it is: the run of the turn, while it happens and afterwards. */
export function Why({ agentId, runId, live = false }: WhyProps): JSX.Element {
  const run = useLoad(() => parley.call('GET /api/agents/{agentId}/runs/{runId}', { path: { agentId, runId } }), [agentId, runId], {
    ...(live && { everyMs: LIVE_MS, until: ({ summary }: RunView) => summary.status !== 'started' }),
  });
  return <Async of={run}>{(data) => <Explanation agentId={agentId} run={data} />}</Async>;
}

function Explanation({ agentId, run }: { readonly agentId: string; readonly run: RunView }): JSX.Element {
  const { summary, stages, context } = run;
  const error = summary.metadata['error'] as { message?: string; details?: string } | null | undefined;
  return (
    <div class="why stack">
      <div class="row wrap">
        <Badge tone={TONES[summary.status]}>{t(`why.status.${summary.status}`)}</Badge>
        {summary.durationMs !== null && <span class="strong figures">{formatDuration(summary.durationMs)}</span>}
        {summary.startedAt !== null && (
          <span class="small faint">
            <Time at={summary.startedAt} />
          </span>
        )}
      </div>
      {error?.message && (
        <div class="notice bad">
          <span>
            <span class="strong">{error.message}</span> {error.details}
          </span>
        </div>
      )}
      <Facts run={run} />
      <section class="stack tight">
        <h3>{t('why.timeline')}</h3>
        <Waterfall stages={stages} />
      </section>
      {context && <Used agentId={agentId} context={context} />}
      {context?.actions && <Actions actions={context.actions} />}
      <Reasoning run={run} />
      <PromptSent run={run} />
    </div>
  );
}

/** The model of a run, how fast it was, and what it used. */
function Facts({ run: { summary, stages } }: { readonly run: RunView }): JSX.Element {
  const models = stages.filter(({ kind }) => kind === 'model');
  const sum = (of: 'inputTokens' | 'outputTokens'): number => models.reduce((total, stage) => total + (stage[of] ?? 0), 0);
  const [input, output] = [sum('inputTokens'), sum('outputTokens')];
  const first = models.find(({ firstTokenMs }) => firstTokenMs !== undefined);
  return (
    <dl class="facts small">
      {models[0] && (
        <>
          <dt>{t('why.model')}</dt>
          <dd>{models[0].name}</dd>
        </>
      )}
      {first?.firstTokenMs !== undefined && (
        <>
          <dt>{t('why.firstToken')}</dt>
          <dd class="figures">{formatDuration(first.firstTokenMs)}</dd>
        </>
      )}
      {input + output > 0 && (
        <>
          <dt>{t('why.tokens')}</dt>
          <dd class="figures">{t('why.tokensInOut', { input: formatNumber(input), output: formatNumber(output) })}</dd>
        </>
      )}
      {summary.costUsd !== null && (
        <>
          <dt>{t('runs.cost')}</dt>
          <dd class="figures">{formatCost(summary.costUsd)}</dd>
        </>
      )}
    </dl>
  );
}
