import type { SpeechModelV3, TranscriptionModelV3 } from '@ai-sdk/provider';
import { AppError } from '../../core/errors/index.js';
import { apiKeyOptions, type Service } from '../sdk/index.js';
import type { Voice } from './speech-synthesizer.js';
import { OPENAI_VOICES } from './voice-names.js';

// The packages are imported on first use.

const OPENAI_URL = 'https://api.openai.com/v1';
const ELEVENLABS_URL = 'https://api.elevenlabs.io';

export async function openAiSpeech(service: Service, modelId: string): Promise<SpeechModelV3> {
  return (await openAi(service)).speech(modelId);
}

export async function openAiTranscription(service: Service, modelId: string): Promise<TranscriptionModelV3> {
  return (await openAi(service)).transcription(modelId);
}

/** OpenAI's voices; for other services the list at `/audio/voices`, if they have one, else none. */
export async function openAiVoices(
  { baseUrl, key, fetch: ask }: Service,
  standard: string,
  signal: AbortSignal,
): Promise<readonly Voice[]> {
  const voice = (id: string): Voice => ({ id, name: id, language: 'mul', isDefault: id === standard });
  if (baseUrl.replace(/\/+$/, '') === OPENAI_URL) return OPENAI_VOICES.map(voice);
  const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` };
  const response = await ask(`${baseUrl.replace(/\/+$/, '')}/audio/voices`, { headers, signal });
  const body: unknown = response.ok ? await response.json().catch(() => undefined) : void (await response.body?.cancel());
  const listed = list(body, 'voices').map((entry) => (typeof entry === 'string' ? entry : (text(entry, 'id') ?? text(entry, 'name'))));
  return listed.filter((id) => id !== undefined).map(voice);
}

export async function elevenLabsSpeech(service: Service, modelId: string): Promise<SpeechModelV3> {
  const model = (await elevenLabs(service)).speech(modelId);
  const { specificationVersion, provider } = model;
  return {
    ...{ specificationVersion, provider, modelId },
    doGenerate: async (options) => model.doGenerate({ ...options, voice: segmentOf(options.voice) }),
  };
}

export async function elevenLabsTranscription(service: Service, modelId: string): Promise<TranscriptionModelV3> {
  return (await elevenLabs(service)).transcription(modelId);
}

/** The voices of the account, including premade ones. */
export async function elevenLabsVoices(
  { baseUrl, key, fetch: ask }: Service,
  standard: string,
  signal: AbortSignal,
): Promise<readonly Voice[]> {
  const url = `${baseUrl}/v1/voices`;
  const response = await ask(url, { headers: key === undefined ? undefined : { 'xi-api-key': key }, signal });
  // The key may not have permission to list voices; the service then validates voice names.
  if (response.status === 401 || response.status === 403) {
    await response.body?.cancel();
    return [];
  }
  if (!response.ok) throw await refusedBy(url, response);
  return list(await response.json(), 'voices').flatMap((entry) => {
    const id = text(entry, 'voice_id');
    if (id === undefined) return [];
    const labels = field(entry, 'labels');
    const gender = text(labels, 'gender');
    return {
      id,
      name: text(entry, 'name') ?? id,
      language: text(labels, 'language') ?? 'mul',
      ...(gender === 'female' || gender === 'male' ? { gender } : {}),
      description: text(entry, 'description'),
      isDefault: id === standard,
    };
  });
}

/** The package puts the voice into the path as it is. @throws AppError UNKNOWN_VOICE for one that would lead to another path */
function segmentOf(voice: string | undefined): string | undefined {
  if (voice === '.' || voice === '..') throw new AppError('UNKNOWN_VOICE', `The speech service has no voice "${voice}".`, 'Send its id.');
  return voice === undefined ? undefined : encodeURIComponent(voice);
}

async function openAi(service: Service) {
  const { createOpenAI } = await import('@ai-sdk/openai');
  const { name, baseUrl } = service;
  return createOpenAI({ name, baseURL: baseUrl, ...apiKeyOptions(service, 'authorization') });
}

async function elevenLabs(service: Service) {
  const { createElevenLabs } = await import('@ai-sdk/elevenlabs');
  const { apiKey, fetch: ask } = apiKeyOptions(service, 'xi-api-key');
  // The package has a fixed base URL.
  const redirected: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return ask(
      url.replace(ELEVENLABS_URL, () => service.baseUrl),
      init,
    );
  };
  return createElevenLabs({ apiKey, fetch: redirected });
}

async function refusedBy(url: string, response: Response): Promise<Error> {
  const { APICallError } = await import('@ai-sdk/provider');
  await response.body?.cancel();
  const responseHeaders = Object.fromEntries(response.headers);
  return new APICallError({
    message: `status ${response.status}`,
    url,
    requestBodyValues: {},
    statusCode: response.status,
    responseHeaders,
  });
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function text(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function list(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}
