import type { EmbeddingModel, EmbedOptions } from '../embedding-model.js';
import type { Grounding } from '../chat-model.js';
import { acknowledge } from './acknowledgements.js';
import { excerpt } from './excerpts.js';
import { GroundingSearch, type SearchResult } from './grounding-search.js';
import { coverage } from './guide-terms.js';
import { Guides } from './guides.js';
import type { MessagePart } from './message-parts.js';
import { definedTerm, defines, isAboutParley, isProblem, maybeAboutParley, namesSetting } from './parley-questions.js';
import { asksOpinion, sameSubject, subjectOf } from './question-subject.js';
import { NOTHING_FOUND } from './small-talk.js';
import { answerFromTold, findTold, recalled, type Told } from './told.js';

// Measured with the embedded encoder: paraphrases of a question score 0.5 to 0.9, other questions below 0.5; a fact that answers a question
// mostly scores above 0.4, others below. With these thresholds, 152 questions about five characters gave 135 right answers, 8 "I found
// nothing" and 9 wrong ones; of 53 unanswerable questions, 2 got an answer.
const CERTAIN_EXAMPLE_SCORE = 0.62;
const LIKELY_EXAMPLE_SCORE = 0.5;
const MIN_FACT_SCORE = 0.4;
/** A second fact is added when its score is within this margin of the first. */
const SECOND_FACT_MARGIN = 0.05;
/** The least share of the words of a question about Parley that the character's answer has, to be preferred to the guides. */
const ENOUGH_WORDS = 0.6;

const OF_ITSELF = /\b(?:I|[Mm]y|me|[Ww]e|[Oo]ur)\b/;

const NOT_TOLD = 'You have not told me that yet.';

/** What an answer may be made from. */
export interface Known {
  readonly grounding: Grounding;
  readonly told: readonly Told[];
  readonly options: EmbedOptions & { readonly signal: AbortSignal };
}

/**
 * Answers questions: those about the user from what the user said, those about the character and the world from the character's examples and
 * facts, those about Parley also from the guides.
 */
export class QuestionAnswers {
  private readonly search: GroundingSearch;
  private readonly guides = new Guides();

  constructor(embeddings: EmbeddingModel | undefined) {
    this.search = new GroundingSearch(embeddings);
  }

  /** @param part a question, task, wish or keywords */
  async answer({ kind, text, remembering }: MessagePart, known: Known): Promise<string> {
    const { told, grounding } = known;
    const { facts } = grounding;
    const subject = kind === 'question' ? subjectOf(text, remembering) : 'world';
    if (subject === 'user') {
      const answer = answerFromTold(text, told);
      if (answer !== undefined) return remembering ? `Yes. ${answer}` : answer;
    }
    if (remembering) return NOT_TOLD;
    if (kind === 'wish' && isProblem(text, facts)) return (await this.guides.answer(text)) ?? NOTHING_FOUND;

    // Keywords are nearer to texts when they are asked for: "opening hours".
    const found = await this.find(kind === 'words' ? `What are your ${text}?` : text, known);
    const otherwise = subject === 'user' ? NOT_TOLD : NOTHING_FOUND;
    if (kind === 'task' || (subject === 'user' && !isAboutParley(text, facts))) return certain(found) ?? otherwise;
    if (isAboutParley(text, facts)) return (await this.aboutParley(text, found)) ?? otherwise;
    const named = subject === 'world' && kind === 'question' ? findTold(text, told) : undefined;
    if (named !== undefined && certain(found) === undefined) return recalled(named.text);
    const own = choose(text, found);
    if (own !== undefined && (kind !== 'words' || coverage(text, own) > 0)) return own;
    if (kind === 'wish') return acknowledge([text]);
    return (maybeAboutParley(text) ? await this.guides.answer(text, 1) : undefined) ?? otherwise;
  }

  /** The answer of an example that certainly asks the same. */
  async certainExample(question: string, known: Known): Promise<string | undefined> {
    return certain(await this.find(question, known));
  }

  private async find(question: string, { grounding, options }: Known): Promise<SearchResult> {
    const { examples, facts } = await this.search.find(question, grounding, options);
    return {
      examples: examples.filter(
        (example) => sameSubject(question, example.question) && (!asksOpinion(question) || asksOpinion(example.question)),
      ),
      facts: asksOpinion(question) ? facts.filter(({ text }) => OF_ITSELF.test(text) || text.includes(grounding.agentName)) : facts,
    };
  }

  /** The character's own answer when it has the question's words, otherwise that of the guides. */
  private async aboutParley(question: string, { examples, facts }: SearchResult): Promise<string | undefined> {
    const term = definedTerm(question);
    if (term !== undefined) {
      const definition = facts.find(({ text }) => defines(text, term))?.text ?? (await this.guides.define(term));
      if (definition !== undefined) return definition;
    }
    const own = [
      ...examples.filter(({ score }) => score >= LIKELY_EXAMPLE_SCORE).map((each) => ({ ...each, all: `${each.question} ${each.text}` })),
      ...facts.filter(({ score }) => score >= MIN_FACT_SCORE).map((each) => ({ ...each, all: each.text })),
    ].map((each) => ({ ...each, shared: coverage(question, each.all) }));
    const fitting = own.find(({ shared, all }) => shared >= ENOUGH_WORDS && namesSetting(question, all));
    if (fitting !== undefined) return excerpt(question, fitting.text);
    const related = own.find(({ shared, all }) => shared > 0 && namesSetting(question, all));
    return (await this.guides.answer(question)) ?? (related && excerpt(question, related.text));
  }
}

function certain({ examples: [example] }: SearchResult): string | undefined {
  return example !== undefined && example.score >= CERTAIN_EXAMPLE_SCORE ? example.text : undefined;
}

function choose(question: string, found: SearchResult): string | undefined {
  const [example] = found.examples;
  const [best, next] = found.facts;
  const sure = certain(found);
  // "What are spring tides?" is near to a question about tides, and a fact has all its words.
  const exact = best !== undefined && best.score >= MIN_FACT_SCORE && coverage(question, best.text) === 1;
  if (sure !== undefined && !(exact && coverage(question, `${example!.question} ${sure}`) < 1)) return sure;
  if (best !== undefined && best.score >= MIN_FACT_SCORE) {
    const both = next !== undefined && next.score >= Math.max(MIN_FACT_SCORE, best.score - SECOND_FACT_MARGIN);
    return both ? `${excerpt(question, best.text)} ${excerpt(question, next.text)}` : excerpt(question, best.text);
  }
  if (example === undefined || example.score < LIKELY_EXAMPLE_SCORE) return undefined;
  return coverage(question, `${example.question} ${example.text}`) > 0 ? example.text : undefined;
}
