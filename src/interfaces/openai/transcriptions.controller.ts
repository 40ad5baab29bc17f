import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  AllowRestricted,
  ApiConsumes,
  ApiErrors,
  ApiResponses,
  disconnectSignal,
  FromCaller,
  NoEnvelope,
  type Caller,
  type HttpRequest,
  type HttpResponse,
} from '../../core/http/index.js';
import type { Agent } from '../../modules/agents/index.js';
import { RECORDING_ERRORS, RecordingUploads, StageTimer, TranscriptionsService } from '../../modules/audio/index.js';
import { AgentModels, formOf, ForProtocol } from '../../modules/protocols/index.js';
import { OpenAiErrors } from './openai-errors.js';
import { OpenAiTranscriptionForm, OpenAiTranscriptionView, presentTranscription } from './transcriptions.dto.js';

/** Names of OpenAI's models that listen, which clients send unless they are told otherwise. */
const ENGINES = /^(whisper|gpt-4o(-mini)?-transcribe)/i;

@Controller('v1')
@ForProtocol('openai')
@OpenAiErrors()
@NoEnvelope()
export class OpenAiTranscriptionsController {
  constructor(
    private readonly models: AgentModels,
    private readonly uploads: RecordingUploads,
    private readonly transcriptions: TranscriptionsService,
    private readonly clock: Clock,
  ) {}

  /** Transcribes a recording, with the speech settings of an agent. */
  @Post('audio/transcriptions')
  @HttpCode(200)
  @AllowRestricted()
  @ApiConsumes({ mediaType: 'multipart/form-data', body: OpenAiTranscriptionForm })
  @ApiResponses(
    { status: 200, mediaType: 'text/plain', about: 'The text, or subtitles in the format SubRip.' },
    { status: 200, mediaType: 'text/vtt', about: 'Subtitles as WebVTT.' },
  )
  @ApiErrors('AGENT_NOT_FOUND', 'AGENT_STOPPED', ...RECORDING_ERRORS)
  create(
    @FromCaller() caller: Caller,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<OpenAiTranscriptionView | undefined> {
    const stages = new StageTimer(this.clock);
    const signal = disconnectSignal(response);
    return this.uploads.receive(request, response, async ({ audio, fields }) => {
      const { model, language, response_format: format } = formOf(fields, OpenAiTranscriptionForm);
      const agentId = this.listener(caller, model).id;
      const transcript = await stages.time('transcription', () => this.transcriptions.transcribe({ audio, language, signal }, { agentId }));
      response.set('Server-Timing', stages.header);
      const presented = presentTranscription(transcript, format);
      if (!('written' in presented)) return presented;
      response.set('Cache-Control', 'no-store').type(presented.mediaType).send(presented.written);
      return undefined;
    });
  }

  private listener(caller: Caller, model: string): Agent {
    if (ENGINES.test(model) && this.models.find(caller, model) === undefined) return this.models.anyRunning(caller);
    return this.models.requireRunning(caller, model);
  }
}
