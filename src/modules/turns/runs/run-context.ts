import { Injectable } from '@nestjs/common';
import { idForAgent } from '../../../core/ids/index.js';
import { KnowledgeService, type Passage } from '../../knowledge/index.js';
import { MediaService } from '../../media/index.js';
import { ConversationSummaries, Recall, type RecallRow } from '../../memory/index.js';
import { recordPromptOf, type Attempt } from '../attempt/attempt.js';
import type { FileRecord } from '../prompt/attached-files.js';
import {
  countIn,
  memoriesIn,
  type ActionsRecord,
  type FoundRecord,
  type LeftOutRecord,
  type PromptRecord,
  type RecallRecord,
} from '../prompt/prompt-record.js';
import { payloadOf, type PromptPayload } from './run-steps.js';
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

/** A part of the prompt of a run. */
export interface RunPart {
  readonly name: string;
  /** Estimated. */
  readonly tokens: number;
  /** Tokens at most; undefined for a part without a limit. */
  readonly budget: number | undefined;
  /** The memories that it chose. */
  readonly memories: readonly { readonly id: string; readonly memory: RecallRow | undefined }[];
}

/** What the prompt of a run used, and what it left out. */
export interface RunContext {
  readonly recall: RecallRecord;
  /** Best first. */
  readonly memories: readonly UsedMemory[];
  readonly documents: readonly UsedMemory[];
  readonly leftOut: readonly UnusedMemory[];
  /** Files of the conversation; their names are undefined when they have been deleted. */
  readonly files: readonly (FileRecord & { readonly name: string | undefined })[];
  /** Empty when the run recorded none. */
  readonly parts: readonly RunPart[];
  /** What else is known of the prompt; undefined when the run did not record it. */
  readonly used: PromptRecord | undefined;
  /** Undefined without any. */
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
    private readonly media: MediaService,
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
    const chosen = new Map(Object.keys(used?.tokens ?? {}).map((part) => [part, used ? memoriesIn(used, part) : []]));
    const pieces = [...documents, ...leftOut].map(({ id }) => id);
    const { files = [] } = used ?? {};
    const [rows, passages, stored, summary] = await Promise.all([
      this.recall.read(agentId, [...recall.memories.map(({ id }) => id), ...pieces, ...[...chosen.values()].flat()]),
      this.knowledge.passages(agentId, pieces),
      this.media.byId(files.map(({ id }) => id)),
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
      files: files.map((file) => ({ ...file, name: stored.get(file.id)?.originalName })),
      parts: [...chosen].map(([name, ids]) => ({
        name,
        tokens: used?.tokens[name] ?? 0,
        budget: used?.budgets[name],
        memories: ids.map((id) => ({ id, memory: rows.get(id) })),
      })),
    };
  }

  private async summaryOf(agentId: string, channelId: string, used: PromptRecord | undefined): Promise<string | undefined> {
    const throughSeq = used && countIn(used, 'summary', 'throughSeq');
    if (throughSeq === undefined) return undefined;
    const found = await this.summaries.find({ agentId, roomId: idForAgent(agentId, channelId) });
    return found?.throughSeq === throughSeq ? (found.text ?? undefined) : undefined;
  }
}

function recordOf(steps: readonly StepRow[], live: Attempt | undefined): Partial<PromptPayload> | undefined {
  if (live?.built) return { ...recordPromptOf(live), actions: live.actions };
  return steps.map(({ payload }) => payloadOf<PromptPayload>(payload)).findLast(({ recall }) => recall !== undefined);
}
