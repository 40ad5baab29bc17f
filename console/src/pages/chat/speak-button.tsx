import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { Button } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { player } from '../../voice/player.js';

/** Reads a stored message aloud in the agent's voice. */
export function SpeakButton({ agentId, messageId }: { readonly agentId: string; readonly messageId: string }): JSX.Element {
  const speaking = useSignal(false);
  useEffect(() => () => void (speaking.peek() && player.stop()), []);
  const speak = async (): Promise<void> => {
    if (speaking.value) {
      player.stop();
      return;
    }
    speaking.value = true;
    await attempt(async () => {
      const path = { agentId };
      const sound = await parley.blob('POST /api/audio/{agentId}/audio-messages/synthesize', { path, body: { messageId } });
      await player.play(await sound.arrayBuffer());
    });
    speaking.value = false;
  };
  return (
    <Button
      needs="write"
      kind="plain"
      icon={speaking.value ? 'stop' : 'speaker'}
      label={speaking.value ? t('chat.stopSpeaking') : t('chat.speak')}
      onClick={() => void speak()}
    />
  );
}
