import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { setRunning } from '../../store/agents.js';
import { Switch } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';

interface RunningSwitchProps {
  readonly agentId: string;
  readonly name: string;
  readonly running: boolean;
}

/** Starts and stops an agent. It shows what was asked for until the server has responded. */
export function RunningSwitch({ agentId, name, running }: RunningSwitchProps): JSX.Element {
  const asked = useSignal<boolean | undefined>(undefined);
  const toggle = async (checked: boolean): Promise<void> => {
    if (asked.value !== undefined) return;
    asked.value = checked;
    await attempt(() => setRunning(agentId, checked));
    asked.value = undefined;
  };
  return (
    <Switch
      label={t(running ? 'chat.stopAgent' : 'chat.startAgent', { name })}
      needs="write"
      checked={asked.value ?? running}
      onChange={(checked) => void toggle(checked)}
    />
  );
}
