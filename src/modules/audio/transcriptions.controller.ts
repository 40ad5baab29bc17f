import { Controller, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  ApiConsumes,
  callerOf,
  disconnectSignal,
  ApiErrors,
  UuidPipe,
  type HttpRequest,
  type HttpResponse,
} from '../../core/http/index.js';
import { RECORDING_ERRORS } from './audio.errors.js';
import { validateFields } from './validate-fields.js';
import { RecordingUploads } from './recording-uploads.js';
import { RunningAgentGuard } from './running-agent.guard.js';
import { SpeakerResolver } from './speaker-resolver.js';
import { StageTimer } from './stage-timer.js';
import { presentTranscript, TranscriptionFields, TranscriptionView } from './transcriptions.dto.js';
import { TranscriptionsService } from './transcriptions.service.js';

@Controller('api/audio/:agentId/transcriptions')
@UseGuards(RunningAgentGuard)
export class TranscriptionsController {
  constructor(
    private readonly uploads: RecordingUploads,
    private readonly transcriptions: TranscriptionsService,
    private readonly speakers: SpeakerResolver,
    private readonly clock: Clock,
  ) {}

  /** Transcribes an uploaded recording. */
  @Post()
  @ApiConsumes({ mediaType: 'multipart/form-data', body: TranscriptionFields })
  @HttpCode(200)
  @ApiErrors(...RECORDING_ERRORS)
  async create(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<TranscriptionView> {
    const stages = new StageTimer(this.clock);
    const signal = disconnectSignal(response);
    return this.uploads.receive(request, response, async ({ audio, fields }) => {
      const { userId, language } = validateFields(fields, TranscriptionFields);
      this.speakers.assertMaySpeakAs(callerOf(request), userId);
      const transcript = await stages.time('transcription', () =>
        this.transcriptions.transcribe({ audio, language, signal }, { agentId, userId }),
      );
      response.set('Server-Timing', stages.header);
      return presentTranscript(transcript, userId);
    });
  }
}
