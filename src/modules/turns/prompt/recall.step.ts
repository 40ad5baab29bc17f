import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { idForAgent } from '../../../core/ids/index.js';
import { KnowledgeService } from '../../knowledge/index.js';
import { Recall, type RecallOptions, type RecallResult } from '../../memory/index.js';
import { selectPassages, type PromptPassage } from './document-passages.js';

const MAX_PASSAGES = 16;

/** What an agent recalls for a message. */
export interface Recalled {
  /** The memories and pieces of documents in the prompt, and what was left out. */
  readonly recall: RecallResult;
  /** What stands above the lines, see `MemoryLines`. */
  readonly heading: readonly string[];
  /** The memories as lines of the prompt, oldest first. */
  readonly lines: readonly string[];
  /** The pieces of documents, best first. */
  readonly passages: readonly PromptPassage[];
  /** Tokens of the heading and lines, and of the passages. */
  readonly tokens: { readonly memories: number; readonly documents: number };
}

/** Recalls memories and pieces of documents within their budgets. */
@Injectable()
export class RecallStep {
  constructor(
    private readonly recall: Recall,
    private readonly knowledge: KnowledgeService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** For `RecallOptions.candidates` of a turn in a channel. */
  candidates(agentId: string, channelId: string): Promise<readonly string[]> {
    return this.recall.candidates(agentId, idForAgent(agentId, channelId));
  }

  /** @param budgets tokens for memories and for pieces of documents; those of the configuration when absent */
  async run(
    agentId: string,
    text: string,
    options: Omit<RecallOptions, 'limit' | 'broad' | 'budgetMs' | 'documents'>,
    budgets: { readonly memories: number; readonly documents: number } = {
      memories: this.config.recallTokens,
      documents: this.config.documentTokens,
    },
  ): Promise<Recalled> {
    const limits = {
      budgetMs: budgets.memories + budgets.documents === 0 ? 0 : this.config.recallTimeoutMs,
      documents: budgets.documents === 0 ? 0 : MAX_PASSAGES,
    };
    const { heading, lines, tokens, ...recall } = await this.recall.forPrompt(agentId, text, { ...options, ...limits }, budgets.memories);
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
      heading,
      lines,
      passages: shown,
      tokens: { memories: tokens, documents: documentTokens },
    };
  }
}
