import { Body, Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  ApiResponses,
  callerOf,
  disconnectSignal,
  ApiErrors,
  UuidPipe,
  type HttpRequest,
  type HttpResponse,
} from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';
import { SYNTHESIS_ERRORS } from './audio.errors.js';
import { RunningAgentGuard } from './running-agent.guard.js';
import { AUDIO_RESPONSES, negotiateFormat, sendAudio } from './audio-response.js';
import { GenerateSpeechBody, SynthesizeBody, toFormat, toOptions, VoicesView } from './speech.dto.js';
import { SpeechService } from './speech.service.js';
import { StageTimer } from './stage-timer.js';

@Controller('api/audio/:agentId')
@UseGuards(RunningAgentGuard)
export class SpeechController {
  constructor(
    private readonly agents: AgentsService,
    private readonly speech: SpeechService,
    private readonly clock: Clock,
  ) {}

  /** Speaks a text or a stored message in the agent's voice; returns audio. */
  @Post('audio-messages/synthesize')
  @HttpCode(200)
  @ApiResponses(...AUDIO_RESPONSES)
  @ApiErrors(...SYNTHESIS_ERRORS, 'MESSAGE_NOT_FOUND')
  synthesize(
    @Param('agentId', UuidPipe) agentId: string,
    @Body() body: SynthesizeBody,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    return this.send(agentId, body, request, response);
  }

  /** Speaks a text in the agent's voice; returns audio. */
  @Post('speech/generate')
  @HttpCode(200)
  @ApiResponses(...AUDIO_RESPONSES)
  @ApiErrors(...SYNTHESIS_ERRORS)
  generate(
    @Param('agentId', UuidPipe) agentId: string,
    @Body() body: GenerateSpeechBody,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    return this.send(agentId, body, request, response);
  }

  /** Lists the voices that the agent can use. */
  @Get('voices')
  @ApiErrors('MODEL_UNAVAILABLE', 'MODEL_REJECTED')
  voices(@Param('agentId', UuidPipe) agentId: string, @Res({ passthrough: true }) response: HttpResponse): Promise<VoicesView> {
    return this.speech.voices(agentId, disconnectSignal(response));
  }

  private async send(agentId: string, body: SynthesizeBody, request: HttpRequest, response: HttpResponse): Promise<void> {
    const agent = this.agents.requireRunning(agentId);
    const stages = new StageTimer(this.clock);
    const gone = disconnectSignal(response);
    const text = await this.speech.textOf(agent, body, callerOf(request));
    const format = negotiateFormat(request, toFormat(body));
    await sendAudio(response, this.speech.file(agent, text, { ...toOptions(body), format }, stages, gone), stages);
  }
}
