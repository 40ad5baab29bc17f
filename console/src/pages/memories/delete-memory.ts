import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { attempt, confirm } from '../../ui/dialogs.js';

/** Asks whether a memory is to be deleted, and deletes it. Returns whether it is deleted. */
export async function deleteMemory(path: { readonly agentId: string; readonly memoryId: string }): Promise<boolean> {
  const asked = { title: t('memories.deleteTitle'), text: t('memories.deleteText'), action: t('common.delete'), danger: true };
  if (!(await confirm(asked))) return false;
  return await attempt(() => parley.call('DELETE /api/agents/{agentId}/memories/{memoryId}', { path }), t('memories.deleted'));
}
