import type { Voice } from './speech-synthesizer.js';

type Traits = Pick<Voice, 'language' | 'gender'>;

/** Traits of OpenAI's voices. Programs written for its API use these names with every server. */
const OPENAI_VOICE_TRAITS: Readonly<Record<string, Traits>> = {
  alloy: { gender: 'female', language: 'en-US' },
  ash: { gender: 'male', language: 'en-US' },
  ballad: { gender: 'male', language: 'en-GB' },
  cedar: { gender: 'male', language: 'en-US' },
  coral: { gender: 'female', language: 'en-US' },
  echo: { gender: 'male', language: 'en-US' },
  fable: { gender: 'male', language: 'en-GB' },
  marin: { gender: 'female', language: 'en-US' },
  nova: { gender: 'female', language: 'en-US' },
  onyx: { gender: 'male', language: 'en-US' },
  sage: { gender: 'female', language: 'en-US' },
  shimmer: { gender: 'female', language: 'en-US' },
  verse: { gender: 'male', language: 'en-US' },
};

export const OPENAI_VOICES: readonly string[] = Object.keys(OPENAI_VOICE_TRAITS);

/**
 * Finds a voice by id or name, ignoring case and surrounding white space. An OpenAI voice that the engine does not have is mapped to the
 * most similar voice.
 */
export function findVoice(name: string | undefined, voices: readonly Voice[]): Voice | undefined {
  if (name === undefined) return undefined;
  const wanted = name.trim().toLowerCase();
  const known = voices.find((voice) => voice.id.toLowerCase() === wanted || voice.name.toLowerCase() === wanted);
  return known ?? (Object.hasOwn(OPENAI_VOICE_TRAITS, wanted) ? mostSimilarVoice(OPENAI_VOICE_TRAITS[wanted]!, voices) : undefined);
}

/** Gender outweighs accent; among equals, the engine's default voice, then the first. */
function mostSimilarVoice(traits: Traits, voices: readonly Voice[]): Voice | undefined {
  const likeness = ({ gender, language, isDefault }: Voice): number =>
    4 * Number(gender === traits.gender) + 2 * Number(language === traits.language) + Number(isDefault);
  return voices.reduce<Voice | undefined>(
    (best, voice) => (best === undefined || likeness(voice) > likeness(best) ? voice : best),
    undefined,
  );
}
