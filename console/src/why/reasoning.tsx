import type { RunView } from 'parley-client';
import type { JSX } from 'preact';
import { t } from '../i18n.js';

/** What the model thought before it replied, call by call. */
export function Reasoning({ run }: { readonly run: RunView }): JSX.Element | null {
  const thoughts = run.events.flatMap(({ type, data }) => {
    const { reasoning } = data as { reasoning?: unknown };
    return type === 'MODEL_USED' && typeof reasoning === 'string' && reasoning !== '' ? [reasoning] : [];
  });
  if (thoughts.length === 0) return null;
  return (
    <section class="stack tight">
      <h3>{t('why.reasoning')}</h3>
      {thoughts.map((text, index) => (
        <details key={index} class="used">
          <summary>{t('why.reasoningLength', { count: [...text].length })}</summary>
          <p class="small soft break reasoning">{text}</p>
        </details>
      ))}
    </section>
  );
}
