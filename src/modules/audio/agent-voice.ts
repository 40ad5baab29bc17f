import type { SpeechChoice } from '../../providers/speech/index.js';
import type { AgentsService } from '../agents/index.js';
import type { SpeechOptions } from './speech.dto.js';

/** What a character's `settings.voice` says: a name, or an object of the original service's kind. */
export interface AgentVoice {
  readonly voice?: string;
  readonly language?: string;
  readonly speed?: number;
}

const NAMES = ['id', 'voiceId', 'voice', 'model', 'name'];

export function agentVoiceOf(setting: unknown): AgentVoice {
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

/** What was asked for, over what the agent has for itself. */
export function withAgentVoice(options: SpeechOptions, own: AgentVoice): SpeechOptions & { readonly preferredVoice?: string } {
  return { voice: options.voice, preferredVoice: own.voice, language: options.language ?? own.language, speed: options.speed ?? own.speed };
}

/** The engine that an agent's settings choose, and its own services; what they leave out is as the server is configured. */
export function providerFor(agents: AgentsService, agentId: string, key: 'speechProvider' | 'transcriptionProvider'): SpeechChoice {
  const provider = agents.setting(agentId, key);
  return { provider: typeof provider === 'string' ? provider : undefined, services: agents.services(agentId) };
}
