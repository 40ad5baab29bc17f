import { Controller, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { Accepts, callerOf, clientGone, Refuses, UuidPipe, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
import { AUDIO_REFUSALS } from './audio.errors.js';
import { readFields } from './fields.js';
import { RecordingUploads } from './recording-uploads.js';
import { RunningAgentGuard } from './running-agent.guard.js';
import { SpeakingPlaces } from './speaking-places.js';
import { Stages } from './stages.js';
import { presentTranscript, TranscriptionFields, TranscriptionView } from './transcriptions.dto.js';
import { TranscriptionsService } from './transcriptions.service.js';

@Controller('api/audio/:agentId/transcriptions')
@UseGuards(RunningAgentGuard)
export class TranscriptionsController {
  constructor(
    private readonly uploads: RecordingUploads,
    private readonly transcriptions: TranscriptionsService,
    private readonly places: SpeakingPlaces,
    private readonly clock: Clock,
  ) {}

  /** Writes down what is said in an uploaded recording. */
  @Post()
  @Accepts({ mediaType: 'multipart/form-data', body: TranscriptionFields })
  @HttpCode(200)
  @Refuses(...AUDIO_REFUSALS)
  async create(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<TranscriptionView> {
    const stages = new Stages(this.clock);
    const signal = clientGone(response);
    return this.uploads.receive(request, response, async ({ audio, fields }) => {
      const { userId, language } = readFields(fields, TranscriptionFields);
      this.places.refuseOthers(callerOf(request), userId);
      const transcript = await stages.time('transcription', () =>
        this.transcriptions.transcribe({ audio, language, signal }, { agentId, userId }),
      );
      response.set('Server-Timing', stages.header);
      return presentTranscript(transcript, userId);
    });
  }
}
