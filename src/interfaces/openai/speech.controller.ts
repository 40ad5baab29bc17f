import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  AllowRestricted,
  ApiErrors,
  ApiResponses,
  ChecksAgentOf,
  disconnectSignal,
  FromCaller,
  NoEnvelope,
  type AdditionalResponse,
  type Caller,
  type HttpResponse,
} from '../../core/http/index.js';
import type { Agent } from '../../modules/agents/index.js';
import { sendAudio, SpeechService, StageTimer, SYNTHESIS_ERRORS } from '../../modules/audio/index.js';
import { AgentModels, ForProtocol, KnownFields } from '../../modules/protocols/index.js';
import { OpenAiErrors } from './openai-errors.js';
import { OpenAiSpeechBody } from './speech.dto.js';

/** Names of OpenAI's models that speak, which clients send unless they are told otherwise. */
const ENGINES = /^(tts|gpt-4o-mini-tts)/i;
const RESPONSES = ['audio/mpeg', 'audio/wav', 'audio/pcm'].map((mediaType): AdditionalResponse => ({
  status: 200,
  mediaType,
  about: 'Mono audio, streamed while it is generated.',
}));

@Controller('v1')
@ForProtocol('openai')
@OpenAiErrors()
@NoEnvelope()
export class OpenAiSpeechController {
  constructor(
    private readonly models: AgentModels,
    private readonly speech: SpeechService,
    private readonly clock: Clock,
  ) {}

  /** Speaks a text in the voice of an agent; returns audio. */
  @Post('audio/speech')
  @HttpCode(200)
  @AllowRestricted()
  @ChecksAgentOf('model')
  @KnownFields(OpenAiSpeechBody)
  @ApiResponses(...RESPONSES)
  @ApiErrors('AGENT_NOT_FOUND', 'AGENT_STOPPED', ...SYNTHESIS_ERRORS)
  async create(
    @Body() body: OpenAiSpeechBody,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    const agent = this.speaker(caller, body.model);
    this.speech.assertSpeakable('input', body.input);
    const stages = new StageTimer(this.clock);
    const { voice, speed, response_format: format } = body;
    const options = { voice: voice ?? undefined, speed: speed ?? undefined, format: format ?? 'mp3', field: 'input' };
    await sendAudio(response, this.speech.file(agent, body.input, options, stages, disconnectSignal(response)), stages);
  }

  private speaker(caller: Caller, model: string): Agent {
    if (ENGINES.test(model) && this.models.find(caller, model) === undefined) return this.models.anyRunning(caller);
    return this.models.requireRunning(caller, model);
  }
}
