import { signal } from '@preact/signals';

/** The reply that is explained beside the conversation. */
export const explained = signal<{ readonly agentId: string; readonly runId: string } | undefined>(undefined);
/** The pane that a narrow window shows. */
export const pane = signal<'agents' | 'chat' | 'why'>('chat');

export function explain(agentId: string, runId: string, { show = false } = {}): void {
  explained.value = { agentId, runId };
  if (show) pane.value = 'why';
}
