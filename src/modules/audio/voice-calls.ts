import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AgentsService } from '../agents/index.js';
import { RecordingMemory } from './recording-memory.js';
import { SpeechService } from './speech.service.js';
import { SpokenReplies } from './spoken-replies.js';
import { TranscriptionsService } from './transcriptions.service.js';
import type { SendEvent } from './voice-playback.js';
import { VoiceCall } from './voice-call.js';

/** Creates voice calls over persistent connections. */
@Injectable()
export class VoiceCalls {
  constructor(
    private readonly transcriptions: TranscriptionsService,
    private readonly replies: SpokenReplies,
    private readonly speech: SpeechService,
    private readonly agents: AgentsService,
    private readonly memory: RecordingMemory,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param send sends an event to the client and resolves when the client can receive more; must not throw */
  open(send: SendEvent): VoiceCall {
    const { transcriptions, replies, speech, agents, memory, clock, config } = this;
    return new VoiceCall({ transcriptions, replies, speech, agents, memory, clock, config, send });
  }
}
