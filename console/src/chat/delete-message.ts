import { parley } from '../api.js';
import { t } from '../i18n.js';
import { attempt, confirm } from '../ui/dialogs.js';

/** Asks whether a message is to be deleted, and deletes it. */
export async function deleteMessage(channelId: string, messageId: string): Promise<void> {
  const asked = { title: t('chat.deleteMessage'), text: t('chat.deleteMessageHint'), action: t('common.delete'), danger: true };
  if (!(await confirm(asked))) return;
  const path = { channelId, messageId };
  await attempt(
    () => parley.call('DELETE /api/messaging/channels/{channelId}/messages/{messageId}', { path }),
    t('channels.messageDeleted'),
  );
}
