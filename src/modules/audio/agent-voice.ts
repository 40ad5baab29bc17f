import type { SpeechChoice } from '../../providers/speech/index.js';
import type { AgentsService } from '../agents/index.js';
import type { SpeechOptions } from './speech.dto.js';

/** The voice settings of a character: `settings.voice` is a voice name, or an object as in the original service. */
export interface AgentVoice {
  readonly voice?: string;
  readonly language?: string;
  readonly speed?: number;
}

const NAMES = ['id', 'voiceId', 'voice', 'model', 'name'];

export function parseVoiceSetting(setting: unknown): AgentVoice {
  if (typeof setting === 'string') return setting.trim() === '' ? {} : { voice: setting.trim() };
  if (typeof setting !== 'object' || setting === null) return {};
  const given = setting as Record<string, unknown>;
  const voice = NAMES.map((name) => given[name]).find((name) => typeof name === 'string' && name.trim() !== '') as string | undefined;
  const { language, speed } = given;
  return {
    ...(voice === undefined ? {} : { voice: voice.trim() }),
    ...(typeof language === 'string' && language !== '' ? { language } : {}),
    ...(typeof speed === 'number' && speed > 0 ? { speed } : {}),
  };
}

/** The options of a request, completed with the agent's own voice settings. */
export function withVoiceDefaults(options: SpeechOptions, own: AgentVoice): SpeechOptions & { readonly preferredVoice?: string } {
  return { voice: options.voice, preferredVoice: own.voice, language: options.language ?? own.language, speed: options.speed ?? own.speed };
}

/** The speech provider and services in an agent's settings. Fields that the settings omit use the server's configuration. */
export function speechChoiceOf(agents: AgentsService, agentId: string, key: 'speechProvider' | 'transcriptionProvider'): SpeechChoice {
  const provider = agents.setting(agentId, key);
  return { provider: typeof provider === 'string' ? provider : undefined, services: agents.services(agentId) };
}
