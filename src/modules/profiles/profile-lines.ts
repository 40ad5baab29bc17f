import { contentWords, dayOf, oneLine, SEPARATOR, type UserFact } from '../memory/index.js';

const DAY_MS = 86_400_000;
/** A fact that ended longer ago is not shown. */
const SHOWN_AFTER_END_MS = 90 * DAY_MS;
/** What a fact that no longer holds counts beside one that does. */
const ENDED = 0.5;
/** What a word of the question adds to the score of a fact: as much as a place far down in a search. */
const SHARED_WORD = 0.05;

/** What a prompt shows of a user. */
export interface PromptProfile {
  /** A title and a note, above the lines; empty without lines. */
  readonly heading: readonly string[];
  /** Facts of one day share a line. */
  readonly lines: readonly string[];
  /** The facts that the lines show, in their order. */
  readonly shown: readonly UserFact[];
  /** Tokens of heading and lines. */
  readonly tokens: number;
}

export interface ProfileOptions {
  /** The lines above the facts. */
  readonly heading: readonly string[];
  readonly question: string;
  /** How well facts match the question, by their ids, as far as a search has found them. */
  readonly scores?: ReadonlyMap<string, number>;
  /** Budget for heading and lines. */
  readonly tokens: number;
  /** Epoch ms. */
  readonly now: number;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
}

interface Choice {
  readonly fact: UserFact;
  readonly day: string;
  readonly text: string;
}

/**
 * The facts about a user for a prompt, with their days, in the order in which the user told them: `5 Jan until 2 Apr: Lives in Paris.`, then
 * `2 Apr: Lives in Rome. | Has a cat.` When they exceed the budget, those that match the question best are chosen, and then the newest. A
 * fact that another one has replaced is shown only with that one.
 *
 * @param facts newest first
 */
export function profileLines(facts: readonly UserFact[], options: ProfileOptions): PromptProfile {
  const { heading, tokens, now, count } = options;
  const current = facts.filter(({ validUntil }) => validUntil === null || now - validUntil < SHOWN_AFTER_END_MS);
  const successors = new Map(facts.flatMap((fact) => (fact.replaces === null ? [] : [[fact.replaces, fact] as const])));
  const days = new Set<string>();
  const chosen = new Map<string, Choice>();
  let left = tokens - heading.reduce((sum, line) => sum + count(line), 0);
  for (const fact of byMatch(current, options)) {
    // What replaced it comes first, so that it stays when the lines turn out to be too long.
    const needed = withSuccessors(fact, successors).flatMap((each): Choice[] =>
      chosen.has(each.id) ? [] : [{ fact: each, day: dayLabel(each, now), text: oneLine(each.text) }],
    );
    const newDays = new Set(needed.flatMap(({ day }) => (days.has(day) ? [] : [day])));
    const cost =
      needed.reduce((sum, { text }) => sum + count(text) + 1, 0) + [...newDays].reduce((sum, day) => sum + count(`- ${day}:`), 0);
    if (cost > left) continue;
    left -= cost;
    for (const choice of needed) chosen.set(choice.fact.id, choice);
    for (const day of newDays) days.add(day);
  }
  return written([...chosen.values()], options);
}

function written(chosen: Choice[], { heading, tokens, count }: ProfileOptions): PromptProfile {
  while (chosen.length > 0) {
    const inOrder = [...chosen].sort((a, b) => a.fact.validFrom - b.fact.validFrom);
    const lines: { readonly day: string; text: string }[] = [];
    for (const { day, text } of inOrder) {
      const last = lines.at(-1);
      if (last?.day === day) last.text += SEPARATOR + text;
      else lines.push({ day, text: `${day}: ${text}` });
    }
    const texts = lines.map(({ text }) => text);
    const used = count([...heading, ...texts.map((text) => `- ${text}`)].join('\n'));
    if (used <= tokens) return { heading, lines: texts, shown: inOrder.map(({ fact }) => fact), tokens: used };
    chosen.pop();
  }
  return { heading: [], lines: [], shown: [], tokens: 0 };
}

/** A fact after what replaced it, and what replaced that. */
function withSuccessors(fact: UserFact, successors: ReadonlyMap<string, UserFact>): UserFact[] {
  const chain = new Set([fact]);
  for (let next = successors.get(fact.id); next && !chain.has(next); next = successors.get(next.id)) chain.add(next);
  return [...chain].reverse();
}

function byMatch(facts: readonly UserFact[], { question, scores = new Map<string, number>() }: ProfileOptions): UserFact[] {
  const asked = contentWords(question);
  const matches = (fact: UserFact): number => {
    const shared = [...contentWords(`${fact.key} ${fact.text}`)].filter((word) => asked.has(word)).length;
    return ((scores.get(fact.id) ?? 0) + shared * SHARED_WORD) * (fact.validUntil === null ? 1 : ENDED);
  };
  return facts
    .map((fact, index) => ({ fact, index, score: matches(fact) }))
    .sort((a, b) => b.score - a.score || Number(a.fact.validUntil !== null) - Number(b.fact.validUntil !== null) || a.index - b.index)
    .map(({ fact }) => fact);
}

function dayLabel({ validFrom, validUntil }: UserFact, now: number): string {
  return validUntil === null ? dayOf(validFrom, now) : `${dayOf(validFrom, now)} until ${dayOf(validUntil, now)}`;
}
