import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import type { Statement } from '../../core/database/index.js';
import { TokenMeter, type ChatModel } from '../../providers/models/index.js';
import { UserFacts, type UserFact } from '../memory/index.js';
import { Extraction } from './extraction.js';
import { ExtractionRunner } from './extraction-runner.js';
import { profileLines, type ProfileOptions, type PromptProfile } from './profile-lines.js';
import { ProfileJobsRepository, type ProfileJobKey } from './profile-jobs.repository.js';

/** What agents know about users, extracted from what these told them (docs/decisions/0036). */
@Injectable()
export class ProfilesService {
  constructor(
    private readonly facts: UserFacts,
    private readonly jobs: ProfileJobsRepository,
    private readonly extraction: Extraction,
    private readonly queue: ExtractionRunner,
    private readonly meter: TokenMeter,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Statements that have a turn read later, for the transaction that ends it; none when extraction is off for the agent. Call `wake` after
   * the commit. Only for vouched messages in a conversation without other users.
   *
   * @param messages the messages that the turn records
   */
  note(turn: ProfileJobKey, model: ChatModel, messages: readonly { readonly seq: number; readonly createdAt: number }[]): Statement[] {
    if (messages.length === 0 || !this.extraction.isOnFor(turn.agentId, model)) return [];
    const after = {
      seq: Math.min(...messages.map(({ seq }) => seq)) - 1,
      at: Math.min(...messages.map(({ createdAt }) => createdAt)),
    };
    return [this.jobs.note(turn, after, this.clock.now())];
  }

  wake(): void {
    this.queue.wake();
  }

  /** The facts about a user, those that no longer hold included; newest first. */
  list(agentId: string, userId: string): Promise<UserFact[]> {
    return this.facts.of(agentId, userId);
  }

  /** Some of these facts for a prompt, within its budget and PROFILE_TOKENS; see `profileLines`. */
  forPrompt(facts: readonly UserFact[], options: Omit<ProfileOptions, 'now' | 'count'>): PromptProfile {
    const tokens = Math.min(options.tokens, this.config.profileTokens);
    return profileLines(facts, { ...options, tokens, now: this.clock.now(), count: (text) => this.meter.count(text) });
  }
}
