import type { Voice } from './speech-synthesizer.js';

type Traits = Pick<Voice, 'language' | 'gender'>;

/** OpenAI's voices as they sound. Programs written for its API name one of them whichever server they talk to. */
const OPENAI: Readonly<Record<string, Traits>> = {
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

export const OPENAI_VOICES: readonly string[] = Object.keys(OPENAI);

/**
 * The voice that a name means: by id or name, whatever its case and the white space around it; for one of OpenAI's voices
 * that the engine does not have, the one that sounds most like it.
 */
export function voiceNamed(name: string | undefined, voices: readonly Voice[]): Voice | undefined {
  if (name === undefined) return undefined;
  const wanted = name.trim().toLowerCase();
  const known = voices.find((voice) => voice.id.toLowerCase() === wanted || voice.name.toLowerCase() === wanted);
  return known ?? (Object.hasOwn(OPENAI, wanted) ? nearest(OPENAI[wanted]!, voices) : undefined);
}

/** Sex counts more than accent, and of equal ones the engine's standard, then the first. */
function nearest(traits: Traits, voices: readonly Voice[]): Voice | undefined {
  const likeness = ({ gender, language, isDefault }: Voice): number =>
    4 * Number(gender === traits.gender) + 2 * Number(language === traits.language) + Number(isDefault);
  return voices.reduce<Voice | undefined>(
    (best, voice) => (best === undefined || likeness(voice) > likeness(best) ? voice : best),
    undefined,
  );
}
