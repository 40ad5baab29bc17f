// The voice of an agent: the voices of its engine, and one sentence to hear each.
import { useSignal } from '@preact/signals';
import type { VoicesView, VoiceView } from 'parley-client';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { parley } from '../../api.js';
import { formatNumber, t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { setRunning } from '../../store/agents.js';
import { Badge, Button, Field, Search } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { Async, Empty } from '../../ui/states.js';
import { player } from '../../voice/player.js';
import { isFields, textIn, type Fields } from './character.js';
import type { CharacterEditor } from './editor.js';
import { atMost } from '../../ui/characters.js';

/** Names under which other programs keep the voice in `settings.voice`. */
const VOICE_NAMES = ['id', 'voiceId', 'voice', 'model', 'name'];
/** More voices than these are found by search. */
const SHOWN = 60;

interface VoiceTabProps {
  readonly agentId: string;
  readonly editor: CharacterEditor;
  readonly running: boolean;
}

export function VoiceTab({ agentId, editor, running }: VoiceTabProps): JSX.Element {
  const { name } = editor.character.value;
  return (
    <section class="form-section" aria-labelledby="section-voices">
      <h2 id="section-voices">{t('agents.voice.title')}</h2>
      {running ? (
        <Voices agentId={agentId} editor={editor} />
      ) : (
        <Empty icon="speaker" title={t('agents.voice.stopped')}>
          <Button needs="write" onClick={() => void attempt(() => setRunning(agentId, true))}>
            {t('chat.startAgent', { name: textIn(name) })}
          </Button>
        </Empty>
      )}
    </section>
  );
}

/** The voice and speed in the settings, in whichever of the accepted forms. */
function chosenOf(setting: unknown): { readonly voice: string; readonly speed: number } {
  if (!isFields(setting)) return { voice: textIn(setting), speed: 1 };
  const name = VOICE_NAMES.find((one) => textIn(setting[one]) !== '');
  const { speed } = setting;
  return { voice: name === undefined ? '' : textIn(setting[name]), speed: typeof speed === 'number' ? speed : 1 };
}

/** The setting after a change, in its shortest form; undefined when nothing differs from the engine's own. */
function settingAfter(setting: unknown, change: Fields): unknown {
  const { voice } = chosenOf(setting);
  const others = isFields(setting) ? Object.fromEntries(Object.entries(setting).filter(([name]) => !VOICE_NAMES.includes(name))) : {};
  const next: Record<string, unknown> = { ...(voice !== '' && { voice }), ...others, ...change };
  if (next['voice'] === '') delete next['voice'];
  if (next['speed'] === 1) delete next['speed'];
  const names = Object.keys(next);
  if (names.length === 0) return undefined;
  return names.length === 1 && names[0] === 'voice' ? next['voice'] : next;
}

interface Speech {
  /** The voice that is heard now. */
  readonly speaking: string | undefined;
  /** Speaks a text; stops instead if the same voice is speaking. */
  readonly speak: (voice: string, text: string, speed: number) => Promise<void>;
}

function useSpeech(agentId: string): Speech {
  const speaking = useSignal<string | undefined>(undefined);
  useEffect(() => () => void (speaking.peek() !== undefined && player.stop()), []);
  const speak = async (voice: string, text: string, speed: number): Promise<void> => {
    if (speaking.value !== undefined) {
      player.stop();
      if (speaking.value === voice) return;
    }
    speaking.value = voice;
    await attempt(async () => {
      const body = { text, speed, ...(voice !== '' && { voice }) };
      const sound = await parley.blob('POST /api/audio/{agentId}/speech/generate', { path: { agentId }, body });
      if (speaking.peek() === voice) await player.play(await sound.arrayBuffer());
    });
    if (speaking.peek() === voice) speaking.value = undefined;
  };
  return { speaking: speaking.value, speak };
}

function Voices({ agentId, editor }: Omit<VoiceTabProps, 'running'>): JSX.Element {
  const voices = useLoad(() => parley.call('GET /api/audio/{agentId}/voices', { path: { agentId } }), [agentId]);
  const sentence = useSignal('');
  const { speaking, speak } = useSpeech(agentId);
  const setting = editor.settings['voice'];
  const { voice: chosen, speed } = chosenOf(setting);
  const text = sentence.value.trim() || t('agents.voice.sample', { name: textIn(editor.character.value['name']) });
  const choose = (change: Fields): void => editor.setSetting('voice', settingAfter(setting, change));
  return (
    <>
      <div class="columns">
        <Field label={t('agents.voice.sentence')} hint={t('agents.voice.sentenceHint')}>
          <textarea
            class="input growing"
            rows={1}
            {...atMost(1000)}
            placeholder={text}
            value={sentence.value}
            onInput={(event) => (sentence.value = event.currentTarget.value)}
          />
        </Field>
        <Field label={t('agents.voice.speed')} hint={t('agents.voice.speedHint', { speed: formatNumber(speed) })}>
          <input
            class="range"
            type="range"
            min={0.5}
            max={2}
            step={0.05}
            value={speed}
            onInput={(event) => choose({ speed: event.currentTarget.valueAsNumber })}
          />
        </Field>
      </div>
      <Async of={voices}>
        {(list) => (
          <VoiceList
            list={list}
            chosen={chosen}
            speaking={speaking}
            onSpeak={(voice) => void speak(voice, text, speed)}
            onChoose={(voice) => choose({ voice })}
          />
        )}
      </Async>
    </>
  );
}

interface VoiceListProps {
  readonly list: VoicesView;
  /** '' for the engine's own. */
  readonly chosen: string;
  readonly speaking: string | undefined;
  readonly onSpeak: (voice: string) => void;
  readonly onChoose: (voice: string) => void;
}

function VoiceList({ list, chosen, speaking, onSpeak, onChoose }: VoiceListProps): JSX.Element {
  const words = useSignal('');
  const wanted = words.value.trim().toLowerCase();
  const isChosen = ({ id, name }: VoiceView): boolean => [id, name].some((one) => one.toLowerCase() === chosen.toLowerCase());
  const found = list.voices.filter(({ name, language, description = '' }) =>
    [name, language, description].some((text) => text.toLowerCase().includes(wanted)),
  );
  const unknown = chosen !== '' && !list.voices.some(isChosen);
  return (
    <>
      <p class="soft small">
        {t('agents.voice.engine', { provider: list.provider, engine: list.engine })}{' '}
        {unknown && <Badge tone="warn">{t('agents.voice.unknown', { voice: chosen })}</Badge>}
      </p>
      {list.voices.length > SHOWN && <Search value={words.value} onInput={(text) => (words.value = text)} label={t('agents.voice.find')} />}
      <div class="voice-list" role="radiogroup" aria-label={t('agents.voice.title')}>
        <div class="voice">
          <label class="grow row">
            <input type="radio" name="voice" checked={chosen === ''} onChange={() => onChoose('')} />
            {t('agents.voice.own')}
          </label>
        </div>
        {found.slice(0, SHOWN).map((voice) => (
          <div key={voice.id} class="voice">
            <label class="grow row">
              <input type="radio" name="voice" checked={isChosen(voice)} onChange={() => onChoose(voice.id)} />
              <span class="grow">
                <span class="strong">{voice.name}</span>{' '}
                <span class="faint small">
                  {[voice.language, voice.gender, voice.description, voice.isDefault && t('agents.voice.isDefault')]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
            </label>
            <Button
              kind="plain"
              needs="write"
              icon={speaking === voice.id ? 'stop' : 'play'}
              label={t(speaking === voice.id ? 'agents.voice.stop' : 'agents.voice.hear', { voice: voice.name })}
              onClick={() => onSpeak(voice.id)}
            />
          </div>
        ))}
      </div>
    </>
  );
}
