import { sendByteStream, type HttpRequest, type HttpResponse, type AdditionalResponse } from '../../core/http/index.js';
import { MEDIA_TYPES, type AudioFormat } from '../../providers/speech/index.js';
import type { SpeechFile } from './speech.service.js';
import type { StageTimer } from './stage-timer.js';

const BY_MEDIA_TYPE: Readonly<Record<string, AudioFormat>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/ogg': 'ogg',
  'audio/ogg;codecs=vorbis': 'ogg',
};

/** Audio responses, for the OpenAPI document. */
export const AUDIO_RESPONSES: readonly AdditionalResponse[] = [...new Set(Object.values(BY_MEDIA_TYPE))].map((format) => ({
  status: 200,
  mediaType: MEDIA_TYPES[format],
  about:
    'Mono audio, streamed while it is generated. `format` or `Accept` selects the format; the default is WAV. `X-Voice` names the voice.',
}));

/** The requested format: `named`, else the best match of `Accept`, else WAV. */
export function negotiateFormat(request: HttpRequest, named: AudioFormat | undefined): AudioFormat {
  const accepted = request.accepts(Object.keys(BY_MEDIA_TYPE));
  return named ?? (typeof accepted === 'string' ? BY_MEDIA_TYPE[accepted] : undefined) ?? 'wav';
}

/** The header `X-Voice`. Voice ids with characters that a header cannot carry are percent-encoded. */
export function voiceHeader(voice: string | undefined): Record<string, string> {
  if (voice === undefined) return {};
  return { 'X-Voice': /^[\x21-\x7e]+$/.test(voice) ? voice : encodeURIComponent(Buffer.from(voice).toString()) };
}

/** Sends audio, whatever the client accepts (contract 1.11), or 204 when there is none. */
export function sendAudio(
  response: HttpResponse,
  { format, whole, voice, bytes }: SpeechFile,
  stages: StageTimer,
  headers: Record<string, string> = {},
): Promise<void> {
  return sendByteStream(response, bytes, (first) => {
    response.set({ 'Server-Timing': stages.header, 'Cache-Control': 'no-store', ...voiceHeader(voice()), ...headers });
    if (first === undefined) response.status(204);
    else response.set({ 'Content-Type': MEDIA_TYPES[format], ...(whole ? { 'Content-Length': String(first.byteLength) } : {}) });
  });
}
