import { DURATION_BOUNDS_MS, meter } from '../../core/telemetry/index.js';

const OUTCOMES = ['completed', 'failed', 'aborted'] as const;

export const AUDIO_METRICS = {
  synthesis: meter.histogram({
    name: 'speech.synthesis.duration',
    about: 'Time that a speech engine took for a text, without the time in which it waited for the client. `aborted`: the client left.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { provider: null, outcome: OUTCOMES },
  }),
  firstAudio: meter.histogram({
    name: 'speech.first_audio',
    about: 'From the request to a speech engine to its first audio.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { provider: null },
  }),
  transcription: meter.histogram({
    name: 'speech.transcription.duration',
    about: 'Time for the transcription of a recording. `failed` includes recordings that are refused, `aborted`: the client left.',
    unit: 'ms',
    bounds: DURATION_BOUNDS_MS,
    labels: { provider: null, outcome: OUTCOMES },
  }),
};
