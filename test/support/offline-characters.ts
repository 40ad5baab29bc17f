import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GroundedMemory, Grounding } from '../../src/providers/models/index.js';

const CHARACTERS = join(import.meta.dirname, '..', '..', 'characters');

interface CharacterFile {
  readonly name: string;
  readonly bio: string[];
  readonly lore: string[];
  readonly knowledge: string[];
  readonly messageExamples: { name: string; content: { text: string } }[][];
}

/** A character of the package as the offline responder gets it. */
export function groundingOf(name: 'iris' | 'maren'): Grounding {
  const character = JSON.parse(readFileSync(join(CHARACTERS, `${name}.json`), 'utf8')) as CharacterFile;
  const examples = character.messageExamples.map(([asked, answered]) => ({
    question: asked?.content.text ?? '',
    answer: answered?.content.text ?? '',
  }));
  return { agentName: character.name, facts: [...character.bio, ...character.lore, ...character.knowledge], examples, memories: [] };
}

/** Messages of a user, a minute apart. */
export function said(...texts: string[]): GroundedMemory[] {
  return texts.map((text, minute) => ({ text, at: minute * 60_000 }));
}

/** A baker who has heard of a dog. */
export const MARTA: Grounding = {
  agentName: 'Marta',
  facts: [
    'Marta runs the Corner Bakery, a small family bakery in Ghent.',
    'The bakery is open from 7 to 17 on weekdays and from 8 to 14 on Saturdays.',
    'You find us at 12 Harbour Street, next to the old library.',
    'A sourdough loaf costs 4.50 euros and a croissant costs 1.80 euros.',
    'All bread is made with organic flour from a mill in the next village.',
    'Cakes for birthdays and weddings must be ordered three days ahead.',
    'We do not sell gluten-free bread because flour dust is everywhere in the kitchen.',
    'Payment is possible in cash, by card and by phone.',
    'The bakery was founded by my grandmother in 1962.',
  ],
  examples: [
    { question: 'Do you deliver?', answer: 'Not to houses, only to the two cafes on the square.' },
    { question: 'Can I get a job with you?', answer: 'Send your letter to jobs@corner.example and I read it on Monday.' },
  ],
  memories: said('My dog is called Rex.'),
};
