import type { Grounding } from '../../providers/models/index.js';
import type { Agent } from '../agents/index.js';

// Limits a character's knowledge in the model's context, characters.
const KNOWLEDGE_BUDGET = 12_000;
const EXAMPLES_SHOWN = 6;

interface Known {
  readonly text: string;
}

/** The sections that do not depend on the turn; an agent that has changed is another object. */
const prepared = new WeakMap<Agent, { readonly knowledge: readonly Known[]; readonly text: string }>();

/** The system message for a language model: the character and its memories. */
export function systemText(agent: Agent, knowledge: readonly Known[], memories: readonly string[]): string {
  let character = prepared.get(agent);
  if (character?.knowledge !== knowledge) {
    character = { knowledge, text: joined(characterSections(agent, knowledge)) };
    prepared.set(agent, character);
  }
  return joined([
    character.text,
    section('What you remember that may matter now', memories),
    'Answer the last message of the conversation as yourself. Reply with the text of your message only.',
  ]);
}

function characterSections(agent: Agent, knowledge: readonly Known[]): string[] {
  const { character } = agent;
  return [
    [`You are ${agent.name}.`, character.system].filter(Boolean).join(' '),
    section('About you', sentences(character.bio, character.lore)),
    section('Your traits', character.adjectives?.length ? [character.adjectives.join(', ')] : []),
    section('Topics you know', character.topics?.length ? [character.topics.join(', ')] : []),
    section('How you write', [...(character.style?.all ?? []), ...(character.style?.chat ?? [])]),
    section('What you know', withinBudget(knowledge.map(({ text }) => text))),
    section(
      'How you have answered before',
      examplePairs(agent)
        .slice(0, EXAMPLES_SHOWN)
        .map(({ question, answer }) => `To "${question}" you said: ${answer}`),
    ),
  ];
}

function joined(sections: readonly string[]): string {
  return sections.filter((text) => text !== '').join('\n\n');
}

/**
 * The character and its memories as data, for the offline responder.
 *
 * @param heard messages of others, from memory and from this conversation; questions are ignored, because they state no facts
 */
export function toGrounding(agent: Agent, knowledge: readonly Known[], heard: readonly string[]): Grounding {
  return {
    agentName: agent.name,
    facts: [...sentences(agent.character.bio, agent.character.lore), ...knowledge.flatMap(({ text }) => paragraphs(text))],
    examples: examplePairs(agent),
    memories: [...new Set(heard.filter((text) => !text.trim().endsWith('?')))],
  };
}

/** Pairs each example message to the character with the character's reply. */
function examplePairs(agent: Agent): { question: string; answer: string }[] {
  return (agent.character.messageExamples ?? []).flatMap((conversation) =>
    conversation.flatMap((message, index) => {
      const next = conversation[index + 1];
      const [question, answer] = [message.content.text, next?.content.text];
      return question && answer && message.name !== agent.name && next?.name === agent.name ? [{ question, answer }] : [];
    }),
  );
}

function sentences(...texts: (string | string[] | undefined)[]): string[] {
  return texts.flat().filter((text): text is string => text !== undefined && text.trim() !== '');
}

function paragraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `# ${title}\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function withinBudget(texts: readonly string[]): string[] {
  let left = KNOWLEDGE_BUDGET;
  return texts.filter((text) => {
    left -= text.length;
    return left >= 0;
  });
}
