import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AgentsService } from '../agents/index.js';
import { RecordingMemory } from './recording-memory.js';
import { SpeechService } from './speech.service.js';
import { SpokenAnswers } from './spoken-answers.js';
import { TranscriptionsService } from './transcriptions.service.js';
import type { TellClient } from './voice-answer.js';
import { VoiceCall } from './voice-call.js';

/** Makes conversations by voice over a connection that stays open. */
@Injectable()
export class VoiceCalls {
  constructor(
    private readonly transcriptions: TranscriptionsService,
    private readonly answers: SpokenAnswers,
    private readonly speech: SpeechService,
    private readonly agents: AgentsService,
    private readonly memory: RecordingMemory,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param tell sends an event to the client and settles when the client can take more; must not throw */
  open(tell: TellClient): VoiceCall {
    const { transcriptions, answers, speech, agents, memory, clock, config } = this;
    return new VoiceCall({ transcriptions, answers, speech, agents, memory, clock, config, tell });
  }
}
