import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { Log } from '../../core/logging/index.js';
import { SpeechRegistry, type Transcript, type TranscriptionRequest } from '../../providers/speech/index.js';
import { AgentsService } from '../agents/index.js';
import { AUDIO_METRICS } from './audio.metrics.js';
import { speechChoiceOf } from './agent-voice.js';

/** Transcribes recordings. */
@Injectable()
export class TranscriptionsService {
  private readonly log = new Log('audio');

  constructor(
    private readonly registry: SpeechRegistry,
    private readonly agents: AgentsService,
    private readonly clock: Clock,
  ) {}

  /**
   * @param who logged with the duration and type of the recording; the transcript is not logged
   * @throws AppError as `Transcriber.transcribe`
   */
  async transcribe(request: TranscriptionRequest, who: { readonly agentId?: string; readonly userId?: string }): Promise<Transcript> {
    const transcriber = this.registry.transcriber(speechChoiceOf(this.agents, who.agentId ?? '', 'transcriptionProvider'));
    const transcript = await this.measured(transcriber.provider, request.signal, () => transcriber.transcribe(request));
    const { engine, durationSeconds, mediaType } = transcript;
    this.log.info('recording transcribed', { ...who, engine, durationSeconds, mediaType, characters: transcript.text.length });
    return transcript;
  }

  private async measured<T>(provider: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const startedAt = this.clock.now();
    let outcome: 'completed' | 'failed' | 'aborted' = 'failed';
    try {
      const result = await work();
      outcome = 'completed';
      return result;
    } finally {
      if (outcome === 'failed' && signal.aborted) outcome = 'aborted';
      AUDIO_METRICS.transcription.with({ provider, outcome }).observe(this.clock.now() - startedAt);
    }
  }
}
