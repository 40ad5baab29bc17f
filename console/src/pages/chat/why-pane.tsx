import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Button } from '../../ui/controls.js';
import { Empty } from '../../ui/states.js';
import { Why } from '../../why/why.js';
import { explained, pane } from './panes.js';

/** Right of the chat: why the selected reply is what it is. */
export function WhyPane(): JSX.Element {
  const of = explained.value;
  return (
    <aside class="why-pane" aria-label={t('why.title')}>
      <div class="pane-head">
        <h2 class="grow">{t('why.title')}</h2>
        {of && (
          <a class="small" href={`/runs/${of.agentId}/${of.runId}`}>
            {t('why.open')}
          </a>
        )}
        <Button kind="plain" icon="close" class="pane-close" label={t('common.close')} onClick={() => (pane.value = 'chat')} />
      </div>
      <div class="scroll why-scroll">
        {of ? (
          <Why key={of.runId} agentId={of.agentId} runId={of.runId} live />
        ) : (
          <Empty icon="spark" title={t('why.nothing')}>
            <p class="small">{t('why.nothingHint')}</p>
          </Empty>
        )}
      </div>
    </aside>
  );
}
