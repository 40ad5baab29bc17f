import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Button } from '../../ui/controls.js';
import { pane } from './panes.js';

/** In a narrow window, opens what else stands beside the conversation. */
export function PaneButtons(): JSX.Element {
  return (
    <span class="pane-buttons row">
      <Button kind="plain" icon="agent" label={t('chat.showAgents')} onClick={() => (pane.value = 'agents')} />
      <Button kind="plain" icon="spark" label={t('why.title')} onClick={() => (pane.value = 'why')} />
    </span>
  );
}
