import type { Grounding } from '../../providers/models/index.js';
import type { Agent } from '../agents/index.js';

// A language model's context is not endless: what a character knows is given up to about this many characters.
const KNOWLEDGE_BUDGET = 12_000;
const EXAMPLES_SHOWN = 6;

interface Known {
  readonly text: string;
}

/** The character and what it remembers, as the system message of a language model. */
export function systemText(agent: Agent, knowledge: readonly Known[], memories: readonly string[]): string {
  const { character } = agent;
  const sections = [
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
    section('What you remember that may matter now', memories),
    'Answer the last message of the conversation as yourself. Reply with the text of your message only.',
  ];
  return sections.filter((text) => text !== '').join('\n\n');
}

/**
 * The same as data, for the responder that works without a language model.
 *
 * @param heard what others have said to the agent, from memory and in this conversation; their questions tell it nothing
 */
export function groundingOf(agent: Agent, knowledge: readonly Known[], heard: readonly string[]): Grounding {
  return {
    agentName: agent.name,
    facts: [...sentences(agent.character.bio, agent.character.lore), ...knowledge.flatMap(({ text }) => paragraphs(text))],
    examples: examplePairs(agent),
    memories: [...new Set(heard.filter((text) => !text.trim().endsWith('?')))],
  };
}

/** Each thing somebody said to the character in its examples, with what the character said next. */
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
