import { Injectable } from '@nestjs/common';
import { cutText } from '../../../../core/text/index.js';
import { estimateTokens, type Grounding } from '../../../../providers/models/index.js';
import type { Agent } from '../../../agents/index.js';
import { cutFact, paragraphsOf } from '../grounding.js';
import type { PartContent, PromptPart, PromptTurn } from '../prompt-part.js';

/** Budget for a character's knowledge, tokens. */
const KNOWLEDGE_TOKENS = 3000;
/** A fact with more characters for each token that is left is not measured. */
const MAX_CHARACTERS_PER_TOKEN = 10;
/** Characters of a character's knowledge that are measured in all. */
const MAX_MEASURED = 100_000;
const EXAMPLES_SHOWN = 6;
/** Examples that the offline responder compares with a message, the characters of their questions, and those of one question and answer. */
const EXAMPLES_COMPARED = 500;
const MAX_COMPARED = 30_000;
const MAX_QUESTION = 600;
const MAX_ANSWER = 10_000;

interface Known {
  readonly text: string;
}

interface PreparedCharacter {
  readonly knowledge: readonly Known[];
  readonly section: string;
  tokens?: number;
  grounding?: Pick<Grounding, 'facts' | 'examples'>;
}

/** The character of the agent with its knowledge. Prepared once: an agent that has changed is another object. */
@Injectable()
export class CharacterPart implements PromptPart {
  readonly name = 'character';
  private readonly prepared = new WeakMap<Agent, PreparedCharacter>();

  async prepare({ turn: { agent }, knowledge, isOffline, count }: PromptTurn): Promise<PartContent> {
    const character = this.preparedFor(agent, knowledge);
    const { section } = character;
    character.tokens ??= count(section);
    if (isOffline) character.grounding ??= await groundingOf(agent, knowledge);
    return { section, tokens: character.tokens, ...(isOffline && { grounding: character.grounding }) };
  }

  private preparedFor(agent: Agent, knowledge: readonly Known[]): PreparedCharacter {
    const known = this.prepared.get(agent);
    if (known?.knowledge === knowledge) return known;
    const character = {
      knowledge,
      section: characterSections(agent, knowledge)
        .filter((text) => text !== '')
        .join('\n\n'),
    };
    this.prepared.set(agent, character);
    return character;
  }
}

/** Long facts and examples are cut. */
async function groundingOf(agent: Agent, knowledge: readonly Known[]): Promise<PreparedCharacter['grounding']> {
  const { bio, lore } = agent.character;
  return {
    facts: [...sentences(bio, lore).map(cutFact), ...(await paragraphsOf(knowledge.map(({ text }) => text)))],
    examples: comparedExamples(agent),
  };
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

function comparedExamples(agent: Agent): Grounding['examples'] {
  let left = MAX_COMPARED;
  return examplePairs(agent)
    .slice(0, EXAMPLES_COMPARED)
    .map(({ question, answer }) => ({ question: cutText(question, MAX_QUESTION), answer: cutText(answer, MAX_ANSWER) }))
    .filter(({ question }) => (left -= question.length) >= 0);
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

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `# ${title}\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function withinBudget(texts: readonly string[]): string[] {
  let left = KNOWLEDGE_TOKENS;
  let unread = MAX_MEASURED;
  return texts.filter((text) => {
    if (text.length > MAX_CHARACTERS_PER_TOKEN * left || text.length > unread) return false;
    unread -= text.length;
    const cost = estimateTokens(text);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}
