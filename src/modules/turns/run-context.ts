import { Injectable } from '@nestjs/common';
import { idForAgent } from '../../core/ids/index.js';
import { KnowledgeService, type Passage } from '../knowledge/index.js';
import { ConversationSummaries, Recall, type RecallRow } from '../memory/index.js';
import {
  recordRecall,
  type ActionsRecord,
  type FoundRecord,
  type LeftOutRecord,
  type PromptRecord,
  type RecallRecord,
} from './prompt-record.js';
import type { Attempt } from './attempt.js';
import { payloadOf, type RecallStep } from './run-steps.js';
import type { StepRow } from './runs.repository.js';
import type { Run } from './runs.types.js';

/** A memory as it is now; undefined when it has been deleted. */
export interface UsedMemory extends FoundRecord {
  readonly memory: RecallRow | undefined;
  /** Of a piece of a document. */
  readonly passage?: Passage;
}

export interface UnusedMemory extends LeftOutRecord {
  readonly memory: RecallRow | undefined;
  readonly passage?: Passage;
}

/** What the prompt of a run used, and what it left out. */
export interface RunContext {
  readonly recall: RecallRecord;
  /** Best first. */
  readonly memories: readonly UsedMemory[];
  readonly documents: readonly UsedMemory[];
  readonly leftOut: readonly UnusedMemory[];
  readonly profile: readonly { readonly id: string; readonly memory: RecallRow | undefined }[];
  /** What else is known of the prompt; undefined for a run of a former version. */
  readonly used: PromptRecord | undefined;
  /** Undefined without any, and for a run of a former version. */
  readonly actions: ActionsRecord | undefined;
  /** Text of the summary; undefined when it has been extended or deleted since. */
  readonly summary: string | undefined;
}

/** Reads what a run used. Runs keep ids, so that an edited memory shows as it is, and a deleted one does not show. */
@Injectable()
export class RunContexts {
  constructor(
    private readonly recall: Recall,
    private readonly knowledge: KnowledgeService,
    private readonly summaries: ConversationSummaries,
  ) {}

  /**
   * @param live the attempt, while this process makes it
   * @returns undefined when nothing was recalled yet
   */
  async read(agentId: string, run: Run, steps: readonly StepRow[], live: Attempt | undefined): Promise<RunContext | undefined> {
    const { recall, used, actions } = recordOf(steps, live) ?? {};
    if (recall === undefined) return undefined;
    const { documents, leftOut } = recall;
    const profile = used?.profile ?? [];
    const pieces = [...documents, ...leftOut].map(({ id }) => id);
    const [rows, passages, summary] = await Promise.all([
      this.recall.read(agentId, [...recall.memories.map(({ id }) => id), ...pieces, ...profile]),
      this.knowledge.passages(agentId, pieces),
      this.summaryOf(agentId, run.channelId, used),
    ]);
    const resolve = <T extends { readonly id: string }>(found: T): T & Pick<UsedMemory, 'memory' | 'passage'> => {
      const passage = passages.get(found.id);
      return { ...found, memory: rows.get(found.id), ...(passage ? { passage } : {}) };
    };
    return {
      ...{ recall, used, actions, summary },
      memories: recall.memories.map(resolve),
      documents: documents.map(resolve),
      leftOut: leftOut.map(resolve),
      profile: profile.map((id) => ({ id, memory: rows.get(id) })),
    };
  }

  private async summaryOf(agentId: string, channelId: string, used: PromptRecord | undefined): Promise<string | undefined> {
    if (!used?.summary) return undefined;
    const found = await this.summaries.find({ agentId, roomId: idForAgent(agentId, channelId) });
    return found?.throughSeq === used.summary.throughSeq ? (found.text ?? undefined) : undefined;
  }
}

function recordOf(steps: readonly StepRow[], live: Attempt | undefined): RecallStep | undefined {
  if (live?.recall) return { recall: recordRecall(live.recall, live.passages ?? []), used: live.used, actions: live.actions };
  return steps.map(({ payload }) => payloadOf<RecallStep>(payload)).findLast(({ recall }) => recall !== undefined);
}
