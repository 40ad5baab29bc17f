import { Injectable } from '@nestjs/common';
import { Log } from '../../core/logging/index.js';
import { SpeechRegistry, type Transcript, type TranscriptionRequest } from '../../providers/speech/index.js';
import { AgentsService } from '../agents/index.js';
import { providerFor } from './agent-voice.js';

/** What was said in recordings. */
@Injectable()
export class TranscriptionsService {
  private readonly log = new Log('audio');

  constructor(
    private readonly registry: SpeechRegistry,
    private readonly agents: AgentsService,
  ) {}

  /**
   * @param who recorded in the log beside what was recognised; the words are not
   * @throws AppError what `Transcriber.transcribe` throws
   */
  async transcribe(request: TranscriptionRequest, who: { readonly agentId?: string; readonly userId?: string }): Promise<Transcript> {
    const transcript = await this.registry
      .transcriber(providerFor(this.agents, who.agentId ?? '', 'transcriptionProvider'))
      .transcribe(request);
    const { engine, durationSeconds, mediaType } = transcript;
    this.log.info('a recording was transcribed', { ...who, engine, durationSeconds, mediaType, characters: transcript.text.length });
    return transcript;
  }
}
