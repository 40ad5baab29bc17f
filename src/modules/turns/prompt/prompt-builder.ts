import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../core/config/index.js';
import type { State } from '../../../plugin-sdk/index.js';
import { TokenMeter, type ChatModel, type ChatRequest, type Grounding } from '../../../providers/models/index.js';
import { AgentsService } from '../../agents/index.js';
import type { RecallResult } from '../../memory/index.js';
import type { Message } from '../../messaging/index.js';
import { TURN_METRICS } from '../turns.metrics.js';
import type { UnreadAttachment } from './attached-files.js';
import { citableOf, type Citable, type PromptPassage } from './document-passages.js';
import type { PartContent, PromptPart, PromptTurn } from './prompt-part.js';
import { ProvidersStep } from './providers.step.js';
import { PromptReadings, type PromptTask } from './prompt-readings.js';
import type { PromptRecord } from './prompt-record.js';

/** Injection token: the parts of a prompt, in their order. */
export const PARTS = Symbol('prompt parts');

/** A prompt, and what its turn needs afterwards. */
export interface BuiltPrompt {
  readonly request: ChatRequest;
  /** What it was made of. */
  readonly record: PromptRecord;
  /** What the context providers returned. */
  readonly state: State;
  /** The recalled memories, and what was skipped. */
  readonly recall: RecallResult;
  /** The pieces of documents in the prompt. */
  readonly passages: readonly PromptPassage[];
  /** What a reply can cite: the pieces of documents, and the texts of files. */
  readonly citables: readonly Citable[];
  /** Files of the message to reply to. */
  readonly unread: readonly UnreadAttachment[];
  /** Messages that are not in the agent's memory yet; they are recorded with the reply. */
  readonly unrecorded: readonly Message[];
  /** The user, vouched for, of a conversation without other users; undefined in any other conversation. */
  readonly onlyUser: string | undefined;
  /** Position in the channel up to which the conversation should be summarised; undefined while it need not be. */
  readonly summariseThrough: number | undefined;
}

/** Tokens of the model by part, before a share is taken. */
type Budgets = ReadonlyMap<string, number>;

interface Prepared {
  readonly part: PromptPart;
  readonly content: PartContent;
}

/** Builds the prompt of a turn from its parts. */
@Injectable()
export class PromptBuilder {
  constructor(
    @Inject(PARTS) private readonly parts: readonly PromptPart[],
    private readonly readings: PromptReadings,
    private readonly providers: ProvidersStep,
    private readonly agents: AgentsService,
    private readonly meter: TokenMeter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async build(task: PromptTask): Promise<BuiltPrompt> {
    const { model, turn } = task;
    const budgets = this.budgetsFor(model);
    const { reading, prepared: preparing } = await this.prepare(task, budgets);
    const prepared = await preparing;
    const [state, { recall, passages }, { unrecorded, summariseThrough }, { onlyUser }, { citables, unread }] = await Promise.all([
      reading.state,
      reading.recalled,
      reading.conversation,
      reading.audience,
      reading.attached,
    ]);
    return {
      request: {
        messages: messagesOf(prepared),
        grounding: groundingOf(turn.agent.name, prepared),
        caller: turn.message.authorId,
        temperature: this.setting(turn.agentId, 'temperature'),
        maxOutputTokens: this.setting(turn.agentId, 'maxTokens'),
        ...task.request?.options,
      },
      record: this.record(task, prepared, budgets),
      ...{ state, recall, passages, unread, unrecorded, onlyUser, summariseThrough },
      citables: [...passages.map(citableOf), ...citables],
    };
  }

  /** Begins to prepare all parts, and waits for those of the stage `context`. */
  private prepare(task: PromptTask, budgets: Budgets): Promise<{ reading: PromptTurn; prepared: Promise<Prepared[]> }> {
    const { turn, message, model, share, signal, trace } = task;
    const stage = trace.begin('context');
    const state = task.state ? Promise.resolve(task.state) : this.providers.compose(turn.agent, message, signal, {}, trace);
    const tokensFor = (part: string): number => {
      const budget = budgets.get(part);
      if (budget === undefined) throw new Error(`the part ${part} of a prompt has no budget`);
      return Math.floor(this.meter.toEstimated(model, budget * share));
    };
    return trace.time(stage, async () => {
      const reading = this.readings.begin(task, state, tokensFor);
      const preparing = this.parts.map(async (part): Promise<Prepared> => ({ part, content: await part.prepare(reading) }));
      const prepared = Promise.all(preparing);
      // Another part may fail first.
      prepared.catch(() => undefined);
      await Promise.all(preparing.filter((_, index) => this.parts[index]?.hasOwnStages !== true));
      return { reading, prepared };
    });
  }

  private budgetsFor({ provider }: ChatModel): Budgets {
    return new Map(this.parts.flatMap((part) => (part.budget ? [[part.name, part.budget(this.config, provider === 'offline')]] : [])));
  }

  private setting(agentId: string, key: string): number | undefined {
    const value = this.agents.setting(agentId, key);
    return typeof value === 'number' ? value : undefined;
  }

  private record({ model, share }: PromptTask, prepared: readonly Prepared[], budgets: Budgets): PromptRecord {
    // The parts are measured in estimated tokens, and people compare them with budgets in tokens of the model.
    const inModel = (estimated: number): number => Math.round(estimated / this.meter.toEstimated(model, 1));
    const tokens = prepared.map(({ part, content }) => [part.name, inModel(content.tokens)] as const);
    const used = new Map(prepared.flatMap(({ part, content: { budget } }) => (budget === undefined ? [] : [[part.name, inModel(budget)]])));
    const files = prepared.flatMap(({ content }) => content.files ?? []);
    for (const [part, count] of tokens) TURN_METRICS.promptTokens.with({ part }).observe(count);
    return {
      share,
      tokens: Object.fromEntries(tokens),
      budgets: Object.fromEntries([...budgets].map(([name, budget]) => [name, used.get(name) ?? Math.floor(budget * share)])),
      ...(files.length === 0 ? {} : { files }),
      ...Object.fromEntries(prepared.flatMap(({ part: { name }, content: { record } }) => (record === undefined ? [] : [[name, record]]))),
    };
  }
}

function messagesOf(prepared: readonly Prepared[]): ChatRequest['messages'] {
  const sections = prepared.flatMap(({ content: { section = '' } }) => (section === '' ? [] : [section]));
  return [{ role: 'system', content: sections.join('\n\n') }, ...prepared.flatMap(({ content: { messages = [] } }) => messages)];
}

function groundingOf(agentName: string, prepared: readonly Prepared[]): Grounding {
  const all = prepared.map(({ content: { grounding = {} } }) => grounding);
  return {
    agentName,
    facts: all.flatMap(({ facts = [] }) => facts),
    examples: all.flatMap(({ examples = [] }) => examples),
    memories: all.flatMap(({ memories = [] }) => memories).sort((a, b) => a.at - b.at),
  };
}
