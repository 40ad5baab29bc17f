import { Pace } from '../../../core/clock/index.js';
import { addressOf, withAddresses } from '../../../core/documents/index.js';
import { normalizeText } from './small-talk.js';
import { isStopWord, stem, wordsOf } from './words.js';

/** Words of one meaning in questions of newcomers; the first stands for all. */
const SYNONYMS: readonly string[] = [
  'delete remove erase wipe clear rid',
  'create make add new build',
  'update upgrade',
  'install setup download',
  'start run launch boot begin',
  'stop cancel abort interrupt halt',
  'show see look view',
  'change edit modify switch',
  'price cost pay charge money expensive pricing fee',
  'chat conversation',
  'document file pdf',
  'picture image photo',
  'computer machine device laptop pc',
  'website page site web',
  'agent bot chatbot assistant',
  'model llm ai gpt',
  'key token',
  'private privacy',
  'safe secure security',
  'error failure fail problem broken fault issue',
  'store save keep',
  'user people person',
  'answer reply respond response',
  'speak talk voice',
  'remember memory recall',
  'licence license',
  'auto automatic automatically',
  'folder directory',
  'colour color',
  'large big size',
];
const CANONICAL = new Map(SYNONYMS.flatMap((group) => group.split(' ').map((word) => [stem(word), stem(group.split(' ')[0]!)] as const)));

/** Words without content that tell questions apart. */
const ASKING = new Set('who where when why which what how much many long me my you your i can'.split(' '));
const LIGHT = new Set(
  'thing things stuff going really exactly actually anything something everything whole own too use used using hey iris'.split(' '),
);
const FACTORS: Readonly<Record<string, number>> = { '~': 0.25, '?': 0.4, '&': 0.3 };

/** Forms that have a word by half of its weight: a word of one form may be there by chance. */
const HALF_KNOWN = 2;
/** What a word only of the answer counts, beside one of the question. */
const ANSWER_FACTOR = 0.3;
/** Letters of words whose spelling is corrected. */
const MIN_CORRECTED = 5;
/** How a score is made of the nearest form of a question and of the words of all its forms. */
const NEAREST_SHARE = 0.3;

/** The most for a question in other words. */
const NOT_THE_SAME = 0.99;
/** Characters of the page that are read before other work can run. */
const CHARACTERS_PER_TURN = 2000;
/** Forms of a candidate that are worth comparing by meaning. */
const FORMS_COMPARED = 4;
/** The least share of the best score that a candidate has. */
const LEAST_OF_BEST = 0.55;

export interface FaqMatch {
  /** The question as the page asks it. */
  readonly question: string;
  readonly answer: string;
  /** Where the question stands, from the root of the server. */
  readonly address: string;
  /** 0 to 1; 1 for a question that stands there in these words. */
  readonly score: number;
}

/** A question of the page that shares words with another one. */
export interface FaqCandidate extends FaqMatch {
  /** Its forms that share most words, best first; at most 4. */
  readonly forms: readonly string[];
}

interface Form {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  readonly weight: number;
}

interface ReadSection {
  readonly address: string;
  readonly answer: string;
  readonly answerTerms: ReadonlySet<string>;
  readonly forms: readonly Omit<Form, 'weight'>[];
}

interface Entry extends Omit<ReadSection, 'forms'> {
  readonly question: string;
  readonly forms: readonly Form[];
  /** In how many forms each term is. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Finds the answer to a question in a page of questions and answers: headings of the third level, other words for each question in a comment that
 * begins with `asked:`, separated by semicolons, and the answer.
 */
export class Faq {
  private readonly entries: readonly Entry[];
  private readonly exact = new Map<string, Entry>();
  private readonly rarity = new Map<string, number>();
  private readonly unknown: number;

  private constructor(read: readonly ReadSection[]) {
    const found = new Map<string, number>();
    for (const { forms, answerTerms } of read) {
      for (const term of new Set([...forms.flatMap(({ terms }) => [...terms]), ...answerTerms])) {
        found.set(term, (found.get(term) ?? 0) + 1);
      }
    }
    for (const [term, count] of found) this.rarity.set(term, Math.log(1 + read.length / count) * factor(term));
    this.unknown = Math.log(1 + 2 * read.length);
    this.entries = read.map((section) => this.entry(section));
  }

  /**
   * Reads a page; other work runs meanwhile.
   *
   * @param file its path from the root of the package, from which links in answers lead on
   */
  static async read(file: string, markdown: string): Promise<Faq> {
    const pace = new Pace(CHARACTERS_PER_TURN);
    const read: ReadSection[] = [];
    for (const { forms, answer: written } of sections(markdown)) {
      const answer = withAddresses(file, written);
      const address = addressOf(file, forms[0]);
      read.push({ address, answer, answerTerms: termsOf(answer), forms: forms.map((text) => ({ text, terms: termsOf(text) })) });
      await pace.spend(answer.length + forms.join('').length);
    }
    return new Faq(read);
  }

  /** The question that stands on the page in these words. */
  same(question: string): FaqMatch | undefined {
    const found = this.exact.get(normalizeText(question));
    return found && { question: found.question, answer: found.answer, address: found.address, score: 1 };
  }

  /**
   * The questions that share most words, best first.
   *
   * @param leastKnown the share of the question's words with content that the page has to know, 0 to 1: with less, it is about something else
   */
  candidates(question: string, count: number, leastKnown: number): FaqCandidate[] {
    const asked = new Set([...termsOf(question)].map((term) => this.corrected(term)));
    if (this.shareKnown(asked) < leastKnown) return [];
    const weight = this.weight(asked);
    const scored = this.entries
      .map((entry) => {
        const forms = this.byNearness(asked, weight, entry);
        const score = NEAREST_SHARE * (forms[0]?.score ?? 0) + (1 - NEAREST_SHARE) * this.shared(asked, weight, entry);
        return { entry, forms, score: Math.min(score, NOT_THE_SAME) };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, count);
    return scored
      .filter(({ score }) => score >= LEAST_OF_BEST * (scored[0]?.score ?? 0))
      .map(({ entry, forms, score }) => {
        const { question: known, answer, address } = entry;
        return { question: known, answer, address, score, forms: forms.slice(0, FORMS_COMPARED).map(({ text }) => text) };
      });
  }

  private shareKnown(asked: ReadonlySet<string>): number {
    const content = [...asked].filter((term) => factor(term) === 1);
    return content.length === 0 ? 1 : content.filter((term) => this.rarity.has(term)).length / content.length;
  }

  /** A misspelt word as the page spells it. */
  private corrected(term: string): string {
    if (term.length < MIN_CORRECTED || factor(term) !== 1 || this.rarity.has(term)) return term;
    const near = [...this.rarity.keys()].filter((known) => factor(known) === 1 && known.length >= MIN_CORRECTED && isOneSlip(term, known));
    return near.length === 1 ? near[0]! : term;
  }

  private entry({ forms, ...section }: ReadSection): Entry {
    const weighed = forms.map((form) => ({ ...form, weight: this.weight(form.terms) }));
    const counts = new Map<string, number>();
    for (const { terms } of forms) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const made = { ...section, question: forms[0]?.text ?? '', forms: weighed, counts };
    for (const { text } of forms) this.exact.set(normalizeText(text), made);
    return made;
  }

  /** The forms with the share of words that each has in common with the question, best first. */
  private byNearness(asked: ReadonlySet<string>, weight: number, { forms }: Entry): { text: string; score: number }[] {
    const scored = forms.map(({ text, terms, weight: other }) => {
      const sum = [...asked].filter((term) => terms.has(term)).reduce((total, term) => total + this.weightOf(term), 0);
      return { text, score: Math.min(1, (2 * sum) / (weight + other)) };
    });
    return scored.sort((a, b) => b.score - a.score);
  }

  /** The share of the question's words that the forms have; words of several forms count more. */
  private shared(asked: ReadonlySet<string>, weight: number, { counts, answerTerms }: Entry): number {
    let sum = 0;
    for (const term of asked) {
      const count = counts.get(term) ?? 0;
      sum += this.weightOf(term) * (count > 0 ? count / (count + HALF_KNOWN) : answerTerms.has(term) ? ANSWER_FACTOR : 0);
    }
    return weight === 0 ? 0 : Math.min(1, sum / weight);
  }

  private weight(terms: ReadonlySet<string>): number {
    let sum = 0;
    // A pair that is shared tells more than its words; one that is not tells nothing.
    for (const term of terms) if (!term.startsWith('&')) sum += this.weightOf(term);
    return sum;
  }

  private weightOf(term: string): number {
    return this.rarity.get(term) ?? this.unknown * factor(term);
  }
}

interface Section {
  /** The question, and other words for it. */
  readonly forms: readonly string[];
  readonly answer: string;
}

function sections(markdown: string): Section[] {
  return markdown.split(/^#{2,3} /m).flatMap((section) => {
    const [question = '', ...rest] = section.split('\n');
    const body = rest.join('\n');
    const asked = /<!-- asked:([^>]*)-->/.exec(body)?.[1];
    if (asked === undefined) return [];
    const forms = [question, ...asked.split(';')].map((form) => form.trim()).filter((form) => form !== '');
    return [
      {
        forms,
        answer: body
          .replace(/<!--[^>]*-->/, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      },
    ];
  });
}

/** Stemmed words, those without content marked, and pairs of words. */
function termsOf(text: string): Set<string> {
  const words = wordsOf(text);
  const single = words.map((word) => (ASKING.has(word) ? `?${word}` : isStopWord(word) || LIGHT.has(word) ? `~${word}` : canonical(word)));
  return new Set([...single, ...words.slice(1).map((word, index) => `&${stem(words[index]!)} ${stem(word)}`)]);
}

function canonical(word: string): string {
  const own = stem(word);
  return CANONICAL.get(own) ?? own;
}

function factor(term: string): number {
  return FACTORS[term.charAt(0)] ?? 1;
}

/** Whether two words differ by one letter too many, too few or another, or by two that are swapped. */
function isOneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const swapped = restA.length > 1 && restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return swapped || restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1);
}
