import { address, choice, integer, secret, text } from './settings.js';

/** Who speaks and listens, and how much of it; part of SETTINGS. */
export const SPEECH_SETTINGS = {
  speechProvider: choice('SPEECH_PROVIDER', 'auto', ['auto', 'embedded', 'openai', 'elevenlabs', 'sherpa', 'none'], {
    editable: true,
    about: 'Who speaks; auto takes the first that is configured, else the built-in English voices.',
  }),
  transcriptionProvider: choice('TRANSCRIPTION_PROVIDER', 'auto', ['auto', 'embedded', 'openai', 'elevenlabs', 'sherpa', 'none'], {
    editable: true,
    about: 'Who writes down what was said; auto takes the first that is configured, else the built-in English recogniser.',
  }),
  openaiAudioBaseUrl: address('OPENAI_AUDIO_BASE_URL', undefined, {
    about: 'Base address of an OpenAI-compatible service for speech and transcription; setting it is enough to choose it for both.',
    shown: 'OPENAI_BASE_URL',
  }),
  openaiSpeechModel: text('OPENAI_SPEECH_MODEL', 'gpt-4o-mini-tts', { editable: true, about: 'Speech model of that service.' }),
  openaiSpeechVoice: text('OPENAI_SPEECH_VOICE', 'alloy', { editable: true, about: 'Its voice when neither request nor agent name one.' }),
  openaiTranscriptionModel: text('OPENAI_TRANSCRIPTION_MODEL', 'whisper-1', {
    editable: true,
    about: 'Transcription model of that service; of those of OpenAI only whisper-1 tells times.',
  }),
  elevenlabsKey: secret('ELEVENLABS_API_KEY', { editable: true, about: 'Key for ElevenLabs.' }),
  elevenlabsBaseUrl: address('ELEVENLABS_BASE_URL', 'https://api.elevenlabs.io', { about: 'Base address of ElevenLabs.' }),
  elevenlabsModel: text('ELEVENLABS_MODEL_ID', 'eleven_multilingual_v2', { editable: true, about: 'Speech model of ElevenLabs.' }),
  elevenlabsVoice: text('ELEVENLABS_VOICE_ID', '21m00Tcm4TlvDq8ikWAM', {
    editable: true,
    about: 'Its voice when neither request nor agent name one.',
  }),
  elevenlabsTranscriptionModel: text('ELEVENLABS_TRANSCRIPTION_MODEL', 'scribe_v1', {
    editable: true,
    about: 'Transcription model of ElevenLabs.',
  }),
  sherpaTtsDir: text('SHERPA_TTS_DIR', undefined, {
    about: 'Folder of a speech model for sherpa-onnx (VITS/Piper, Matcha or Kokoro, as published); setting it chooses it.',
  }),
  sherpaSttDir: text('SHERPA_STT_DIR', undefined, {
    about: 'Folder of a recognition model for sherpa-onnx (Whisper, Moonshine, SenseVoice or a transducer); setting it chooses it.',
  }),
  transcriptionWorkers: integer(
    'TRANSCRIPTION_WORKERS',
    1,
    { min: 1, max: 64 },
    { about: 'Recordings that the built-in recogniser takes on at the same time; each takes some 200 MB while it runs.' },
  ),
  transcriptionTimeoutMs: integer(
    'TRANSCRIPTION_TIMEOUT_MS',
    300_000,
    { min: 1000, max: 3_600_000 },
    { about: 'Time that recognising one recording may take, ms.' },
  ),
  ffmpegPath: text('FFMPEG_PATH', 'ffmpeg', {
    about: 'Program that decodes MP4/M4A, AAC and what else the built-in decoders do not; these are refused when it is not there.',
  }),
  speechMaxCharacters: integer(
    'SPEECH_MAX_CHARACTERS',
    5000,
    { min: 1, max: 1_000_000 },
    { about: 'Longest text that is spoken in one request, characters.' },
  ),
  audioMaxBytes: integer(
    'AUDIO_MAX_BYTES',
    50 * 1024 * 1024,
    { min: 1024, max: 1024 * 1024 * 1024 },
    { about: 'Largest recording that is accepted, bytes.' },
  ),
  audioBufferBytes: integer(
    'AUDIO_BUFFER_BYTES',
    256 * 1024 * 1024,
    { min: 1024, max: 64 * 1024 * 1024 * 1024 },
    { about: 'Memory that all recordings may take together until they are recognised, bytes.' },
  ),
  audioMaxSeconds: integer(
    'AUDIO_MAX_SECONDS',
    600,
    { min: 1, max: 86_400 },
    { about: 'Longest recording that is transcribed, seconds of sound.' },
  ),
  audioQueue: integer(
    'AUDIO_QUEUE',
    16,
    { min: 0, max: 10_000 },
    { about: 'Requests that may wait for each of the built-in engines; beyond that they are answered with 503 and Retry-After.' },
  ),
} as const;
