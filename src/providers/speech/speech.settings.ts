import { address, choice, integer, secret, text, type SettingValues } from '../../core/config/index.js';

export const SPEECH_SETTINGS = {
  speechProvider: choice('SPEECH_PROVIDER', 'auto', ['auto', 'embedded', 'openai', 'elevenlabs', 'sherpa', 'none'], {
    editable: true,
    about: 'Speech synthesis provider; auto selects the first that is configured, otherwise the built-in English voices.',
  }),
  transcriptionProvider: choice('TRANSCRIPTION_PROVIDER', 'auto', ['auto', 'embedded', 'openai', 'elevenlabs', 'sherpa', 'none'], {
    editable: true,
    about: 'Transcription provider; auto selects the first that is configured, otherwise the built-in English recogniser.',
  }),
  openaiAudioBaseUrl: address('OPENAI_AUDIO_BASE_URL', undefined, {
    about: 'Base URL of an OpenAI-compatible service for speech and transcription. Setting it selects the service for both.',
    shownDefault: 'OPENAI_BASE_URL',
  }),
  openaiSpeechModel: text('OPENAI_SPEECH_MODEL', 'gpt-4o-mini-tts', {
    editable: true,
    about: 'Speech model of the OpenAI-compatible service.',
  }),
  openaiSpeechVoice: text('OPENAI_SPEECH_VOICE', 'alloy', { editable: true, about: 'Default voice of the OpenAI-compatible service.' }),
  openaiTranscriptionModel: text('OPENAI_TRANSCRIPTION_MODEL', 'whisper-1', {
    editable: true,
    about: 'Transcription model of the OpenAI-compatible service. Of the OpenAI models, only whisper-1 returns timestamps.',
  }),
  elevenlabsKey: secret('ELEVENLABS_API_KEY', { editable: true, about: 'API key for ElevenLabs.' }),
  elevenlabsBaseUrl: address('ELEVENLABS_BASE_URL', 'https://api.elevenlabs.io', { about: 'Base URL of ElevenLabs.' }),
  elevenlabsModel: text('ELEVENLABS_MODEL_ID', 'eleven_multilingual_v2', { editable: true, about: 'Speech model of ElevenLabs.' }),
  elevenlabsVoice: text('ELEVENLABS_VOICE_ID', '21m00Tcm4TlvDq8ikWAM', {
    editable: true,
    about: 'Default voice of ElevenLabs.',
  }),
  elevenlabsTranscriptionModel: text('ELEVENLABS_TRANSCRIPTION_MODEL', 'scribe_v1', {
    editable: true,
    about: 'Transcription model of ElevenLabs.',
  }),
  sherpaTtsDir: text('SHERPA_TTS_DIR', undefined, {
    about: 'Folder of a speech model for sherpa-onnx (VITS/Piper, Matcha or Kokoro, as published). Setting it selects the model.',
  }),
  sherpaSttDir: text('SHERPA_STT_DIR', undefined, {
    about: 'Folder of a recognition model for sherpa-onnx (Whisper, Moonshine, SenseVoice or a transducer). Setting it selects the model.',
  }),
  transcriptionWorkers: integer(
    'TRANSCRIPTION_WORKERS',
    1,
    { min: 1, max: 64 },
    { about: 'Recordings that the built-in recogniser transcribes concurrently. Each uses about 200 MB of memory.' },
  ),
  transcriptionTimeoutMs: integer(
    'TRANSCRIPTION_TIMEOUT_MS',
    300_000,
    { min: 1000, max: 3_600_000 },
    { about: 'Time limit for the transcription of one recording, ms.' },
  ),
  ffmpegPath: text('FFMPEG_PATH', 'ffmpeg', {
    about:
      'ffmpeg executable for MP4/M4A, AAC and whatever else the built-in decoders cannot read. Without it such recordings are rejected.',
  }),
  audioQueue: integer(
    'AUDIO_QUEUE',
    16,
    { min: 0, max: 10_000 },
    { about: 'Maximum number of requests that wait for each built-in engine; further requests get 503 with Retry-After.' },
  ),
} as const;

type SpeechConfig = SettingValues<typeof SPEECH_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends SpeechConfig {}
}
