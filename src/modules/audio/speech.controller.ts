import { Body, Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { Answers, callerOf, clientGone, Refuses, UuidPipe, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';
import { SPEECH_REFUSALS } from './audio.errors.js';
import { RunningAgentGuard } from './running-agent.guard.js';
import { AUDIO_ANSWERS, formatFor, sendAudio } from './speech-answer.js';
import { GenerateSpeechBody, SynthesizeBody, toFormat, toOptions, VoicesView } from './speech.dto.js';
import { SpeechService } from './speech.service.js';
import { Stages } from './stages.js';

@Controller('api/audio/:agentId')
@UseGuards(RunningAgentGuard)
export class SpeechController {
  constructor(
    private readonly agents: AgentsService,
    private readonly speech: SpeechService,
    private readonly clock: Clock,
  ) {}

  /** Speaks a text, or a stored message, in the agent's voice; answers with audio. */
  @Post('audio-messages/synthesize')
  @HttpCode(200)
  @Answers(...AUDIO_ANSWERS)
  @Refuses(...SPEECH_REFUSALS, 'MESSAGE_NOT_FOUND')
  synthesize(
    @Param('agentId', UuidPipe) agentId: string,
    @Body() body: SynthesizeBody,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    return this.answer(agentId, body, request, response);
  }

  /** Speaks a text in the agent's voice; answers with audio. */
  @Post('speech/generate')
  @HttpCode(200)
  @Answers(...AUDIO_ANSWERS)
  @Refuses(...SPEECH_REFUSALS)
  generate(
    @Param('agentId', UuidPipe) agentId: string,
    @Body() body: GenerateSpeechBody,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    return this.answer(agentId, body, request, response);
  }

  /** The voices with which the agent can be heard. */
  @Get('voices')
  @Refuses('MODEL_UNAVAILABLE', 'MODEL_REJECTED')
  voices(@Param('agentId', UuidPipe) agentId: string, @Res({ passthrough: true }) response: HttpResponse): Promise<VoicesView> {
    return this.speech.voices(agentId, clientGone(response));
  }

  private async answer(agentId: string, body: SynthesizeBody, request: HttpRequest, response: HttpResponse): Promise<void> {
    const agent = this.agents.requireRunning(agentId);
    const stages = new Stages(this.clock);
    const gone = clientGone(response);
    const text = await this.speech.textOf(agent, body, callerOf(request));
    const format = formatFor(request, toFormat(body));
    await sendAudio(response, this.speech.file(agent, text, { ...toOptions(body), format }, stages, gone), stages);
  }
}
