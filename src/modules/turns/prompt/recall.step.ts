import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { idForAgent } from '../../../core/ids/index.js';
import { KnowledgeService } from '../../knowledge/index.js';
import { Recall, type RecalledMemory, type RecallOptions, type RecallResult, type UserFact } from '../../memory/index.js';
import { ProfilesService, type PromptProfile } from '../../profiles/index.js';
import { selectPassages, type PromptPassage } from './document-passages.js';

const MAX_PASSAGES = 16;
/** Default of RECALL_TOKENS when only words are searched: they tell worse than meanings what may matter. */
export const BY_WORDS_TOKENS = 2000;
/** Its default as a share of that, when meanings are searched. */
const BY_MEANING_SHARE = 800 / BY_WORDS_TOKENS;
// Of the budget that facts and memories share, this is kept for memories among the best matches that no fact comes from.
const BEST = 16;
const TOKENS_OF_ONE = 18;
const SHARE_KEPT = 0.25;
/** A longer message tells more than the fact that comes from it, characters. */
const MAX_COVERED = 400;

/** The facts about a user, newest first, and the lines above them in a prompt. */
export interface UserProfile {
  readonly facts: readonly UserFact[];
  readonly heading: readonly string[];
}

/** What an agent recalls for a message. */
export interface Recalled {
  /** The memories and pieces of documents in the prompt, and what was left out. */
  readonly recall: RecallResult;
  /** What the prompt shows of the user; undefined in a conversation with other users. */
  readonly profile?: PromptProfile;
  /** What stands above the lines, see `MemoryLines`. */
  readonly heading: readonly string[];
  /** The memories as lines of the prompt, oldest first. */
  readonly lines: readonly string[];
  /** The pieces of documents, best first. */
  readonly passages: readonly PromptPassage[];
  /** Tokens that facts and memories could use. */
  readonly budget: number;
  /** Tokens of the heading and lines, and of the passages. */
  readonly tokens: { readonly memories: number; readonly documents: number };
}

/** Recalls facts, memories and pieces of documents within their budgets. */
@Injectable()
export class RecallStep {
  constructor(
    private readonly recall: Recall,
    private readonly knowledge: KnowledgeService,
    private readonly profiles: ProfilesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** For `RecallOptions.candidates` of a turn in a channel. */
  candidates(agentId: string, channelId: string): Promise<readonly string[]> {
    return this.recall.candidates(agentId, idForAgent(agentId, channelId));
  }

  /**
   * @param budgets tokens for facts and memories together, and for pieces of documents; those of the configuration when absent
   * @param profile what the agent knows about the user, who is the only reader
   */
  async run(
    agentId: string,
    text: string,
    options: Omit<RecallOptions, 'limit' | 'broad' | 'budgetMs' | 'documents' | 'facts'>,
    budgets: { readonly memories: number; readonly documents: number } = {
      memories: this.config.recallTokens ?? BY_WORDS_TOKENS,
      documents: this.config.documentTokens,
    },
    profile?: UserProfile,
  ): Promise<Recalled> {
    const limits = {
      budgetMs: budgets.memories + budgets.documents === 0 ? 0 : this.config.recallTimeoutMs,
      documents: budgets.documents === 0 ? 0 : MAX_PASSAGES,
      facts: new Set(profile?.facts.map(({ id }) => id)),
    };
    const found = await this.recall.forPrompt(agentId, text, { ...options, ...limits });
    const isDefault = this.config.recallTokens === undefined;
    const memoryTokens = Math.floor(isDefault && 'found' in found.byMeaning ? budgets.memories * BY_MEANING_SHARE : budgets.memories);
    const known = profile && this.profiles.forPrompt(profile.facts, factOptions(found, profile, text, memoryTokens));
    const others = withoutKnown(found, limits.facts, known);
    const { heading, lines, tokens, ...recall } = this.recall.linesOf(others, text, options, memoryTokens - (known?.tokens ?? 0));
    const places = await this.knowledge.passages(
      agentId,
      recall.documents.map(({ memoryId }) => memoryId),
    );
    const { shown, leftOut, tokens: documentTokens } = selectPassages(recall.documents, places, budgets.documents);
    const passages = new Set(shown.map(({ memoryId }) => memoryId));
    const tooLong = leftOut.map(({ memoryId, score }) => ({ memoryId, score, reason: 'budget' as const }));
    const documents = recall.documents.filter(({ memoryId }) => passages.has(memoryId));
    return {
      recall: { ...recall, documents, leftOut: [...tooLong, ...recall.leftOut] },
      profile: known,
      heading,
      lines,
      passages: shown,
      budget: memoryTokens,
      tokens: { memories: tokens, documents: documentTokens },
    };
  }
}

/** What the facts may use: all but what is kept for the best memories that no fact comes from. */
function factOptions(
  { memories }: RecallResult,
  { facts, heading }: UserProfile,
  question: string,
  budget: number,
): Parameters<ProfilesService['forPrompt']>[1] {
  const covered = new Set(facts.flatMap(({ id, sources }) => [id, ...sources]));
  const others = memories.slice(0, BEST).filter(({ memoryId }) => !covered.has(memoryId)).length;
  // All facts are read, so those that were found only because they are new do not match better than others.
  const matching = memories.filter(({ foundBy }) => foundBy.some((by) => by !== 'recency' && by !== 'unseen'));
  const scores = new Map(matching.map(({ memoryId, score }) => [memoryId, score]));
  // Without a budget for memories nothing is searched, and the facts have one of their own.
  const tokens = budget === 0 ? Infinity : budget - Math.min(others * TOKENS_OF_ONE, budget * SHARE_KEPT);
  return { heading, question, scores, tokens };
}

/** Without the facts, and without the messages that tell nothing but a fact that is shown. */
function withoutKnown(found: RecallResult, facts: ReadonlySet<string>, known: PromptProfile | undefined): RecallResult {
  const sources = new Set(known?.shown.flatMap((fact) => fact.sources));
  const repeats = ({ memoryId, text }: RecalledMemory): boolean => sources.has(memoryId) && text.length <= MAX_COVERED;
  const memories = found.memories.filter((memory) => !facts.has(memory.memoryId) && !repeats(memory));
  const duplicates = found.memories.filter(repeats).map(({ memoryId, score }) => ({ memoryId, score, reason: 'duplicate' as const }));
  return { ...found, memories, leftOut: [...duplicates, ...found.leftOut.filter(({ memoryId }) => !facts.has(memoryId))] };
}
