import { integer, type SettingValues } from '../../core/config/index.js';

export const AUDIO_SETTINGS = {
  speechMaxCharacters: integer(
    'SPEECH_MAX_CHARACTERS',
    5000,
    { min: 1, max: 1_000_000 },
    { about: 'Maximum length of the text in a speech request, characters.' },
  ),
  audioMaxBytes: integer(
    'AUDIO_MAX_BYTES',
    50 * 1024 * 1024,
    { min: 1024, max: 1024 * 1024 * 1024 },
    { about: 'Maximum size of a recording, bytes.' },
  ),
  audioBufferBytes: integer(
    'AUDIO_BUFFER_BYTES',
    256 * 1024 * 1024,
    { min: 1024, max: 64 * 1024 * 1024 * 1024 },
    { about: 'Maximum memory for all recordings that wait for transcription, bytes.' },
  ),
  audioMaxSeconds: integer('AUDIO_MAX_SECONDS', 600, { min: 1, max: 86_400 }, { about: 'Maximum duration of a recording, seconds.' }),
} as const;

type AudioConfig = SettingValues<typeof AUDIO_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends AudioConfig {}
}
