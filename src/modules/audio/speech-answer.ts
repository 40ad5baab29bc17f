import { sendByteStream, type HttpRequest, type HttpResponse, type OtherAnswer } from '../../core/http/index.js';
import { MEDIA_TYPES, type AudioFormat } from '../../providers/speech/index.js';
import type { SpeechFile } from './speech.service.js';
import type { Stages } from './stages.js';

const BY_MEDIA_TYPE: Readonly<Record<string, AudioFormat>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/ogg': 'ogg',
  'audio/ogg;codecs=vorbis': 'ogg',
};

/** An answer that is audio, for the OpenAPI document. */
export const AUDIO_ANSWERS: readonly OtherAnswer[] = Object.values(MEDIA_TYPES).map((mediaType) => ({
  status: 200,
  mediaType,
  about: 'Audio of one channel, sent as it is made. `format` or `Accept` choose; WAV when neither does. `X-Voice` names the voice.',
}));

/** The format that the client asked for: by name, else by `Accept`; WAV when it names none of them, JSON for example. */
export function formatFor(request: HttpRequest, named: AudioFormat | undefined): AudioFormat {
  const accepted = request.accepts(Object.keys(BY_MEDIA_TYPE));
  return named ?? (typeof accepted === 'string' ? BY_MEDIA_TYPE[accepted] : undefined) ?? 'wav';
}

/** Names the voice that speaks. A service may know voices by names that a header cannot carry: those are percent-encoded. */
export function voiceHeader(voice: string | undefined): Record<string, string> {
  if (voice === undefined) return {};
  return { 'X-Voice': /^[\x21-\x7e]+$/.test(voice) ? voice : encodeURIComponent(Buffer.from(voice).toString()) };
}

/** Answers with audio, whatever the client accepts (contract 1.11); with nothing (204) when there is none. */
export function sendAudio(
  response: HttpResponse,
  { format, whole, voice, bytes }: SpeechFile,
  stages: Stages,
  headers: Record<string, string> = {},
): Promise<void> {
  return sendByteStream(response, bytes, (first) => {
    response.set({ 'Server-Timing': stages.header, 'Cache-Control': 'no-store', ...voiceHeader(voice()), ...headers });
    if (first === undefined) response.status(204);
    else response.set({ 'Content-Type': MEDIA_TYPES[format], ...(whole ? { 'Content-Length': String(first.byteLength) } : {}) });
  });
}
