import { Injectable } from '@nestjs/common';
import { Log } from '../../core/logging/index.js';
import { SpeechRegistry, type Transcript, type TranscriptionRequest } from '../../providers/speech/index.js';
import { AgentsService } from '../agents/index.js';
import { speechChoiceOf } from './agent-voice.js';

/** Transcribes recordings. */
@Injectable()
export class TranscriptionsService {
  private readonly log = new Log('audio');

  constructor(
    private readonly registry: SpeechRegistry,
    private readonly agents: AgentsService,
  ) {}

  /**
   * @param who logged with the duration and type of the recording; the transcript is not logged
   * @throws AppError as `Transcriber.transcribe`
   */
  async transcribe(request: TranscriptionRequest, who: { readonly agentId?: string; readonly userId?: string }): Promise<Transcript> {
    const transcript = await this.registry
      .transcriber(speechChoiceOf(this.agents, who.agentId ?? '', 'transcriptionProvider'))
      .transcribe(request);
    const { engine, durationSeconds, mediaType } = transcript;
    this.log.info('recording transcribed', { ...who, engine, durationSeconds, mediaType, characters: transcript.text.length });
    return transcript;
  }
}
