// "Current problems": a button in the status line while anything is, with a list of the reasons.
import { useSignal } from '@preact/signals';
import type { ProblemView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from './api.js';
import { t } from './i18n.js';
import { useLoad } from './load.js';
import { Badge, Button, Dot } from './ui/controls.js';
import { Dialog } from './ui/dialogs.js';
import { Time } from './ui/text.js';

const INTERVAL_MS = 15_000;

/** For administrators. Nothing while nothing is wrong. */
export function Problems(): JSX.Element | null {
  const open = useSignal(false);
  const problems = useLoad(async (signal) => (await parley.call('GET /api/server/problems', { signal })).problems, [], {
    everyMs: INTERVAL_MS,
  });
  const found = problems.value.data ?? [];
  if (found.length === 0) return null;
  const close = (): void => {
    open.value = false;
  };
  return (
    <>
      <Button kind="plain" class="status-button" onClick={() => (open.value = true)}>
        <Dot tone="bad" /> {t('status.problems', { count: found.length })}
      </Button>
      {open.value && (
        <Dialog title={t('problems.title')} onClose={close} wide>
          <ul class="problems">
            {found.map((problem, index) => (
              <Problem key={index} of={problem} onLeave={close} />
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

interface ProblemProps {
  readonly of: ProblemView;
  readonly onLeave: () => void;
}

function Problem({ of: problem, onLeave }: ProblemProps): JSX.Element {
  const { kind, subject, message, details, count, at } = problem;
  const address = addressOf(problem);
  return (
    <li class="stack tight">
      <div class="row wrap">
        <Badge tone="bad">{t(`problems.kind.${kind}`)}</Badge>
        {address === undefined ? (
          <span class="strong break">{subject}</span>
        ) : (
          <a class="strong break" href={address} onClick={onLeave}>
            {subject}
          </a>
        )}
        {count > 1 && <span class="small faint">{t('problems.times', { count })}</span>}
        {at !== null && (
          <span class="small faint">
            <Time at={at} />
          </span>
        )}
      </div>
      <p class="small soft break">
        {message} {details}
      </p>
    </li>
  );
}

/** Where more is told: the runs of an agent, or the page of a plugin. */
function addressOf({ kind, plugin, agentId }: ProblemView): string | undefined {
  if (kind === 'turns') return `/runs?agent=${agentId}&status=error&within=hour`;
  if (plugin === undefined) return undefined;
  return `/plugins/${encodeURIComponent(plugin)}/${kind === 'deliveries' ? 'deliveries?state=dead' : 'overview'}`;
}
