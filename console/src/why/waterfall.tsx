import type { RunStageView } from 'parley-client';
import type { JSX } from 'preact';
import { now } from '../clock.js';
import { formatCost, formatDuration, t } from '../i18n.js';
import { Code } from '../ui/text.js';

/** Stages that contain others, and are shown by them. */
const CONTAINERS = new Set<RunStageView['kind']>(['attempt', 'context']);
const SHORTEST_PERCENT = 0.6;

/** The stages of a run as bars over its time. A stage with more to say can be opened. */
export function Waterfall({ stages }: { readonly stages: readonly RunStageView[] }): JSX.Element {
  const attempts = Math.max(1, ...stages.map(({ attempt }) => attempt));
  const shown = stages.filter(({ kind }) => !CONTAINERS.has(kind) || (kind === 'attempt' && attempts > 1));
  const begin = Math.min(...stages.map(({ startedAt }) => startedAt));
  const end = Math.max(begin + 1, ...stages.map((stage) => stage.startedAt + (stage.durationMs ?? now.value - stage.startedAt)));
  return (
    <ol class="waterfall">
      {shown.map((stage, index) => (
        <li key={index}>
          <Stage stage={stage} begin={begin} whole={end - begin} />
        </li>
      ))}
    </ol>
  );
}

interface StageProps {
  readonly stage: RunStageView;
  readonly begin: number;
  /** Duration of the run, ms. */
  readonly whole: number;
}

function Stage({ stage, begin, whole }: StageProps): JSX.Element {
  const details = detailsOf(stage);
  const bar = <Bar stage={stage} begin={begin} whole={whole} />;
  if (details.length === 0) return <div class="stage">{bar}</div>;
  return (
    <details class="stage">
      <summary>{bar}</summary>
      <div class="stage-details stack tight">
        {details.map(([label, value]) => (
          <div key={label}>
            <span class="small faint">{label}</span>
            {value.includes('{') || value.length > 80 ? <Code text={value} wrap label={label} /> : <p class="break">{value}</p>}
          </div>
        ))}
      </div>
    </details>
  );
}

function Bar({ stage, begin, whole }: StageProps): JSX.Element {
  const { kind, name, startedAt, durationMs, error } = stage;
  const duration = durationMs ?? Math.max(0, now.value - startedAt);
  const left = Math.min(100 - SHORTEST_PERCENT, ((startedAt - begin) / whole) * 100);
  const width = Math.max(SHORTEST_PERCENT, Math.min(100 - left, (duration / whole) * 100));
  const label = t(`why.stage.${kind}`);
  return (
    <span class="stage-row" data-kind={kind} data-name={name} data-duration={durationMs}>
      <span class="stage-name truncate" title={name === kind ? label : `${label}: ${name}`}>
        <span>{label}</span> {name !== kind && <span class="faint">{name}</span>}
      </span>
      <span class="stage-track" aria-hidden="true">
        <span
          class={`stage-bar kind-${kind} ${error === undefined ? '' : 'failed'} ${durationMs === null ? 'running' : ''}`}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      </span>
      <span class="stage-time figures small">{durationMs === null ? '…' : formatDuration(durationMs)}</span>
    </span>
  );
}

function detailsOf(stage: RunStageView): readonly (readonly [label: string, value: string])[] {
  const { error, firstTokenMs, inputTokens, outputTokens, finishReason, costUsd } = stage;
  const tokens =
    inputTokens === undefined && outputTokens === undefined
      ? undefined
      : t('why.tokensInOut', { input: inputTokens ?? '?', output: outputTokens ?? '?' });
  const all: readonly (readonly [string, string | undefined])[] = [
    [t('why.error'), error],
    [t('why.firstToken'), firstTokenMs === undefined ? undefined : formatDuration(firstTokenMs)],
    [t('why.tokens'), tokens],
    [t('runs.cost'), costUsd === undefined || costUsd === null ? undefined : formatCost(costUsd)],
    [t('why.finish'), finishReason],
    [t('why.arguments'), stage.arguments],
    [t('why.result'), stage.result],
  ];
  return all.filter((entry): entry is readonly [string, string] => entry[1] !== undefined && entry[1] !== '');
}
