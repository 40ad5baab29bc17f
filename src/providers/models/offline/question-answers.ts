import type { EmbeddingModel, EmbedOptions } from '../embedding-model.js';
import type { Grounding } from '../chat-model.js';
import { acknowledge } from './acknowledgements.js';
import { excerpt } from './excerpts.js';
import { GroundingSearch, type SearchResult } from './grounding-search.js';
import { coverage } from './guide-terms.js';
import { Guides, Sameness, type AskedQuestion } from './guides.js';
import type { MessagePart } from './message-parts.js';
import { definedTerm, defines, isAboutParley, isGuide, namesSetting, SETTING_NAME } from './parley-questions.js';
import { asksOpinion, sameSubject, subjectOf, type Subject } from './question-subject.js';
import { nothingFound } from './small-talk.js';
import { answerFromTold, findTold, recalled, type Told } from './told.js';
import { VectorCache } from './vector-cache.js';

// Measured with the embedded encoder: paraphrases of a question score 0.5 to 0.9, other questions below 0.5; a fact that answers a question
// mostly scores above 0.4, others below. With these thresholds, 152 questions about five characters gave 135 right answers, 8 "I found
// nothing" and 9 wrong ones; of 53 unanswerable questions, 2 got an answer.
const CERTAIN_EXAMPLE_SCORE = 0.62;
const LIKELY_EXAMPLE_SCORE = 0.5;
const MIN_FACT_SCORE = 0.4;
/** A second fact is added when its score is within this margin of the first. */
const SECOND_FACT_MARGIN = 0.05;
/** The least share of the words of a question about Parley that the character's answer has, to be preferred to the guides. */
const ENOUGH_WORDS = 0.8;

const GOES_ON = /^(?:and|but|or|also|what about|how about)\b/i;
/** What only the user can have told. */
const OF_THE_USER = /^(?:so |and |but )?(?:what|tell|do|did|is there)\b.*\byou (?:know|remember|learn(?:ed)?) (?:about|of) (?:me|us)\b/i;

const OF_ONE = /\b(?:my|mine|am i|(?:do|did|was|have|had) i)\b/i;

const OF_ITSELF = /\b(?:I|[Mm]y|me|[Ww]e|[Oo]ur)\b/;

/** Questions that are offered when none is near enough. */
const MAX_SUGGESTED = 3;
/** Questions whose scores differ by less are as near. */
const RIVAL_MARGIN = 0.04;

const NOT_TOLD = 'You have not told me that yet.';

/** What an answer may be made from. */
export interface Known {
  readonly grounding: Grounding;
  readonly told: readonly Told[];
  /** The user's message before, to which a short question may refer. */
  readonly before?: string;
  readonly options: EmbedOptions & { readonly signal: AbortSignal };
}

/**
 * Answers questions: those about the user from what the user said, those about the character and the world from the character's examples and
 * facts, those about Parley also from the guides.
 */
export class QuestionAnswers {
  private readonly search: GroundingSearch;
  private readonly guides: Guides;

  constructor(embeddings: EmbeddingModel | undefined) {
    const cache = embeddings && new VectorCache(embeddings);
    this.search = new GroundingSearch(cache);
    this.guides = new Guides(cache);
  }

  /** @param part a question, task, wish or keywords */
  async answer(part: MessagePart, known: Known): Promise<string> {
    const { kind, text, remembering } = part;
    const subject = kind === 'question' ? subjectOf(text, remembering) : 'world';
    if (subject === 'user') {
      const answer = answerFromTold(text, known.told);
      if (answer !== undefined) return remembering ? `Yes. ${answer}` : answer;
    }
    if (remembering) return NOT_TOLD;
    if (isGuide(known.grounding)) return this.answerAsGuide(part, subject, known);

    const found = await this.findFor(part, known);
    if (kind === 'task' || subject === 'user') return certain(found) ?? this.otherwise(text, subject, known);
    return this.ownAnswer(part, subject, found, known) ?? this.otherwise(text, subject, known);
  }

  /** The answer to one of the questions that newcomers ask, if this question asks the same; only of the guide to Parley. */
  async askedBefore(text: string, { grounding, before, options }: Known, least: Sameness): Promise<string | undefined> {
    if (!isGuide(grounding)) return undefined;
    const near = await this.guides.asked(text, options);
    const [alone] = near;
    // "And on Windows?" goes on with the question before.
    const goesOn = before !== undefined && GOES_ON.test(text);
    const surely = goesOn ? Sameness.Certain : Sameness.Sure;
    if (alone !== undefined && alone.sameness >= least && alone.sameness >= surely) {
      const [second] = alone.sameness === Sameness.InTheseWords ? [] : await this.guides.asked(secondQuestion(text), options);
      const both = second !== undefined && second.sameness >= Sameness.Sure && second.question !== alone.question;
      return both ? `${alone.answer}\n\n${second.answer}` : toAnswer(near);
    }
    const together = goesOn ? await this.guides.asked(`${before} ${text}`, options) : [];
    const best = (together[0]?.score ?? 0) > (alone?.score ?? 0) ? together : near;
    return best[0] !== undefined && best[0].sameness >= least ? toAnswer(best) : undefined;
  }

  /** As `askedBefore`, for a message that asks after it has told something, if the whole message is nearer to a question than each question in it. */
  async askedAsWhole(message: string, parts: readonly MessagePart[], known: Known): Promise<string | undefined> {
    if (!isGuide(known.grounding)) return undefined;
    const scoreOf = async (text: string): Promise<number> => (await this.guides.asked(text, known.options))[0]?.score ?? 0;
    const alone = await Promise.all(parts.filter(({ kind }) => kind === 'question').map(({ text }) => scoreOf(text)));
    if ((await scoreOf(message)) < Math.max(...alone)) return undefined;
    return this.askedBefore(message, known, Sameness.Likely);
  }

  /** What to say when nothing answers a question: that, and questions near to it. */
  private async otherwise(text: string, subject: Subject, { grounding, options }: Known): Promise<string> {
    const links = isGuide(grounding) ? linksTo((await this.guides.asked(text, options)).slice(0, MAX_SUGGESTED)) : '';
    const none = subject === 'user' && (!isGuide(grounding) || OF_ONE.test(text)) ? NOT_TOLD : nothingFound(grounding);
    return links === '' ? none : `${none} Perhaps you mean one of these: ${links}`;
  }

  private async answerAsGuide(part: MessagePart, subject: Subject, known: Known): Promise<string> {
    const { kind, text } = part;
    if (OF_THE_USER.test(text)) return answerFromTold(text, known.told) ?? NOT_TOLD;
    const own = /\bmy\b/i.test(text) ? findTold(text, known.told) : undefined;
    if (own !== undefined) return recalled(own.text);
    const named = SETTING_NAME.test(text);
    // Such questions could be about the user or the character.
    const ambiguous = subject === 'user' || named ? Sameness.Sure : asksOpinion(text) ? Sameness.Certain : Sameness.Likely;
    const likely = named && kind === 'question' ? undefined : await this.askedBefore(text, known, ambiguous);
    if (likely !== undefined) return likely;
    const found = await this.findFor(part, known);
    const shown = certain(found, text);
    if (shown !== undefined) return shown;
    if (kind !== 'task' && isAboutParley(text)) return (await this.aboutParley(text, found)) ?? this.otherwise(text, subject, known);
    if (kind === 'task' || subject === 'user') return this.otherwise(text, subject, known);
    return this.ownAnswer(part, subject, found, known) ?? this.otherwise(text, subject, known);
  }

  /** From what the user told of the world, or from the character's text. */
  private ownAnswer({ kind, text }: MessagePart, subject: Subject, found: SearchResult, { told }: Known): string | undefined {
    const named = subject === 'world' && kind === 'question' ? findTold(text, told) : undefined;
    if (named !== undefined && certain(found) === undefined) return recalled(named.text);
    const own = choose(text, found);
    if (own !== undefined && (kind !== 'words' || coverage(text, own) > 0)) return own;
    return kind === 'wish' ? acknowledge([text]) : undefined;
  }

  /** The answer of an example that certainly asks the same. */
  async certainExample(question: string, known: Known): Promise<string | undefined> {
    return certain(await this.find(question, known));
  }

  private findFor({ kind, text }: MessagePart, known: Known): Promise<SearchResult> {
    // Keywords are nearer to texts when they are asked for: "opening hours".
    return this.find(kind === 'words' ? `What are your ${text}?` : text, known);
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
    return this.guides.answer(question);
  }
}

/** The question behind "and" in "what do you store, and where is it?"; empty without one. */
function secondQuestion(text: string): string {
  return /\band ((?:what|where|when|who|why|how|which|can|do|does|is|are)\b.*)$/i.exec(text)?.[1] ?? '';
}

/**
 * The answer of the nearest question; of two that are as near, both answers with their questions, or a link to the second.
 */
function toAnswer([best, ...others]: readonly AskedQuestion[]): string | undefined {
  if (best === undefined) return undefined;
  const rivals = others.filter(({ score }) => score > best.score - RIVAL_MARGIN);
  const [rival] = rivals;
  if (rival !== undefined && rival.sameness >= Sameness.Sure && best.sameness !== Sameness.InTheseWords) {
    return [best, rival].map(({ question, answer }) => `**${question}** ${answer}`).join('\n\n');
  }
  const doubtful = best.sameness === Sameness.Likely ? others : best.sameness === Sameness.InTheseWords ? [] : rivals;
  const links = linksTo(doubtful.slice(0, MAX_SUGGESTED - 1));
  return links === '' ? best.answer : `${best.answer}\n\nOr do you mean this? ${links}`;
}

/** Links to questions that are on the subject. */
function linksTo(near: readonly AskedQuestion[]): string {
  return near
    .filter(({ sameness }) => sameness >= Sameness.Near)
    .map(({ question, address }) => `[${question}](${address})`)
    .join(' · ');
}

/** @param question whose words the example has to have, at least half of them; without it, its meaning is enough */
function certain({ examples: [example] }: SearchResult, question?: string): string | undefined {
  if (example === undefined || example.score < CERTAIN_EXAMPLE_SCORE) return undefined;
  return question === undefined || coverage(question, `${example.question} ${example.text}`) >= 0.5 ? example.text : undefined;
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
