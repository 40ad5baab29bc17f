import { Injectable } from '@nestjs/common';
import { Reader } from '../../../core/database/index.js';
import type { ErrorBody } from '../../../core/errors/index.js';
import { Vault } from '../../../core/vault/index.js';
import { openReasoning } from '../attempt/reasoning-record.js';
import type { TurnStatus } from '../entities/turn.entity.js';
import type { TraceRecord } from '../turn-trace.js';

/** The stored part of a turn, while it runs and afterwards. */
export interface TurnRecord {
  readonly status: TurnStatus;
  readonly error: ErrorBody | null;
  /** Epoch ms. */
  readonly finishedAt: number | null;
  readonly rounds: readonly RecordedRound[];
}

/** A call of the model that has ended, and the tools that it called. */
export interface RecordedRound {
  /** Number of the step. Its calls have the following numbers. */
  readonly step: number;
  /** Attempt at the reply in which it was recorded, from 1. */
  readonly attempt: number;
  /** Epoch ms. */
  readonly at: number;
  readonly text: string;
  /** Why the model stopped; null when the service did not say. */
  readonly reason: string | null;
  readonly reasoning: string;
  /** Tokens; null when the service did not report them. */
  readonly usage: { readonly inputTokens: number | null; readonly outputTokens: number | null };
  readonly calls: readonly RecordedCall[];
  /** How many of the calls, the last ones, the caller runs. */
  readonly handed: number;
}

export interface RecordedCall {
  readonly name: string;
  readonly input: unknown;
  /** Attempt in which the outcome was recorded; undefined without an outcome. */
  readonly attempt?: number;
  /** The result, of a call that the caller ran. */
  readonly result?: string;
}

interface StoredTurn {
  readonly status: TurnStatus;
  readonly error: string | null;
  readonly finished_at: number | null;
}

interface StoredStep {
  readonly step: number;
  readonly kind: string;
  readonly payload: string;
  readonly at: number;
}

interface Payload {
  readonly text?: string;
  readonly reason?: string;
  readonly reasoning?: string;
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
  readonly handed?: number;
  readonly byCaller?: boolean;
  readonly result?: { readonly text?: string };
  readonly trace?: TraceRecord;
}

/** Reads what is stored of turns. */
@Injectable()
export class TurnRecords {
  constructor(
    private readonly reader: Reader,
    private readonly vault: Vault,
  ) {}

  /** Undefined when there is no such turn. */
  async find({ messageId, agentId }: { readonly messageId: string; readonly agentId: string }): Promise<TurnRecord | undefined> {
    const [turn] = await this.reader.rows<StoredTurn>(
      'SELECT status, error, finished_at FROM turns WHERE message_id = ? AND agent_id = ?',
      [messageId, agentId],
    );
    if (!turn) return undefined;
    const steps = await this.reader.rows<StoredStep>(
      'SELECT step, kind, payload, at FROM turn_steps WHERE message_id = ? AND agent_id = ? ORDER BY step',
      [messageId, agentId],
    );
    return {
      status: turn.status,
      error: turn.error === null ? null : (JSON.parse(turn.error) as ErrorBody),
      finishedAt: turn.finished_at === null ? null : Number(turn.finished_at),
      rounds: this.roundsOf(steps.map(({ payload, ...step }) => ({ ...step, payload: JSON.parse(payload) as Payload }))),
    };
  }

  private roundsOf(steps: readonly (Omit<StoredStep, 'payload'> & { readonly payload: Payload })[]): RecordedRound[] {
    const outcomes = new Map(steps.flatMap(({ step, kind, payload }) => (kind === 'action' ? [[Number(step), payload] as const] : [])));
    return steps.flatMap(({ step: number, kind, payload, at }) => {
      if (kind !== 'model') return [];
      const step = Number(number);
      const { inputTokens = null, outputTokens = null } = payload.usage ?? {};
      const calls = (payload.calls ?? []).map(({ name, input }, index): RecordedCall => {
        const outcome = outcomes.get(step + 1 + index);
        return {
          ...{ name, input },
          ...(outcome && { attempt: outcome.trace?.attempt ?? payload.trace?.attempt ?? 1 }),
          ...(outcome?.byCaller && { result: outcome.result?.text ?? '' }),
        };
      });
      return [
        {
          ...{ step, calls, usage: { inputTokens, outputTokens } },
          attempt: payload.trace?.attempt ?? 1,
          at: Number(at),
          text: payload.text ?? '',
          reason: payload.reason ?? null,
          reasoning: openReasoning(this.vault, payload.reasoning)?.text ?? '',
          handed: payload.handed ?? 0,
        },
      ];
    });
  }
}
