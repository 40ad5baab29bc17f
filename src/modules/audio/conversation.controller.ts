import { Controller, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  ApiConsumes,
  ApiErrors,
  ApiErrorsOfHooks,
  ApiResponses,
  callerOf,
  disconnectSignal,
  hearingSignal,
  isMultipart,
  usersOf,
  UuidPipe,
  type HttpRequest,
  type HttpResponse,
} from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';
import { RECORDING_ERRORS, SYNTHESIS_ERRORS, TURN_ERRORS } from './audio.errors.js';
import {
  AudioMessageView,
  ConversationBody,
  ConversationFields,
  ConversationView,
  metadataOf,
  presentAudioMessage,
  presentConversation,
  presentProcessedAudio,
  ProcessedAudioView,
  textOf,
  type VoiceExchange,
} from './conversation.dto.js';
import { ConversationService } from './conversation.service.js';
import { validateFields } from './validate-fields.js';
import { RecordingUploads } from './recording-uploads.js';
import { RunningAgentGuard } from './running-agent.guard.js';
import { SpeakerResolver } from './speaker-resolver.js';
import { AUDIO_RESPONSES, negotiateFormat, sendAudio, voiceHeader } from './audio-response.js';
import { toFormat, toOptions } from './speech.dto.js';
import { StageTimer } from './stage-timer.js';
import { TranscriptionsService } from './transcriptions.service.js';

const RECORDING = { mediaType: 'multipart/form-data', body: ConversationFields };

@Controller('api/audio/:agentId')
@UseGuards(RunningAgentGuard)
export class ConversationController {
  constructor(
    private readonly agents: AgentsService,
    private readonly conversation: ConversationService,
    private readonly transcriptions: TranscriptionsService,
    private readonly uploads: RecordingUploads,
    private readonly speakers: SpeakerResolver,
    private readonly clock: Clock,
  ) {}

  /** Talks to the agent. A JSON body with text returns audio; a recording (multipart) returns JSON with texts and audio. */
  @Post('speech/conversation')
  @ApiConsumes({ mediaType: 'application/json', body: ConversationBody }, RECORDING)
  @ApiResponses(...AUDIO_RESPONSES, { status: 204, about: 'The agent chose not to reply.' })
  @HttpCode(200)
  @ApiErrors(...TURN_ERRORS, ...SYNTHESIS_ERRORS, ...RECORDING_ERRORS)
  @ApiErrorsOfHooks('messagePolicies')
  async converse(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ConversationView | undefined> {
    if (isMultipart(request)) return presentConversation(await this.handleRecording(agentId, request, response));
    await this.replyToText(agentId, validateFields(request.body as Record<string, unknown>, ConversationBody), request, response);
    return undefined;
  }
  /** Same as a recording sent to `speech/conversation`. */
  @Post('speech')
  @ApiConsumes(RECORDING)
  @HttpCode(200)
  @ApiErrors(...TURN_ERRORS, ...SYNTHESIS_ERRORS, ...RECORDING_ERRORS)
  @ApiErrorsOfHooks('messagePolicies')
  async speech(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ConversationView> {
    return presentConversation(await this.handleRecording(agentId, request, response));
  }

  /** Sends a recording as a message; returns the transcript and the agent's reply. */
  @Post('audio-messages')
  @ApiConsumes(RECORDING)
  @HttpCode(200)
  @ApiErrors(...TURN_ERRORS, ...SYNTHESIS_ERRORS, ...RECORDING_ERRORS)
  @ApiErrorsOfHooks('messagePolicies')
  async audioMessage(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<AudioMessageView> {
    return presentAudioMessage(await this.handleRecording(agentId, request, response));
  }

  /** Same as `audio-messages`, with other field names. */
  @Post('process-audio')
  @ApiConsumes(RECORDING)
  @HttpCode(200)
  @ApiErrors(...TURN_ERRORS, ...SYNTHESIS_ERRORS, ...RECORDING_ERRORS)
  @ApiErrorsOfHooks('messagePolicies')
  async processAudio(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ProcessedAudioView> {
    return presentProcessedAudio(await this.handleRecording(agentId, request, response));
  }

  private async replyToText(agentId: string, body: ConversationBody, request: HttpRequest, response: HttpResponse): Promise<void> {
    const agent = this.agents.requireRunning(agentId);
    const stages = new StageTimer(this.clock);
    const speaker = await this.speakers.resolve(agent, body, callerOf(request));
    const users = usersOf(callerOf(request));
    const said = { ...speaker, users, text: textOf(body), clientMessageId: body.clientMessageId, metadata: body.metadata ?? {} };
    const options = { ...toOptions(body), format: negotiateFormat(request, toFormat(body)) };
    const heard = this.heard(speaker.channelId, request, response);
    const file = await this.conversation.stream(agent, said, options, stages, heard);
    const { channelId, authorId } = speaker;
    await sendAudio(response, file, stages, { 'X-Channel-Id': channelId, 'X-Message-Id': file.messageId, 'X-Entity-Id': authorId });
  }

  private handleRecording(agentId: string, request: HttpRequest, response: HttpResponse): Promise<VoiceExchange> {
    const agent = this.agents.requireRunning(agentId);
    const stages = new StageTimer(this.clock);
    const signal = disconnectSignal(response);
    return this.uploads.receive(request, response, async ({ audio, fields }) => {
      const given = validateFields(fields, ConversationFields);
      const metadata = metadataOf(given.metadata);
      const speaker = await this.speakers.resolve(agent, given, callerOf(request));
      const format = toFormat({ format: given.responseFormat }) ?? 'wav';
      const { language, voice, clientMessageId } = given;
      const heard = this.heard(speaker.channelId, request, response);
      const who = { agentId, userId: speaker.authorId };
      const transcript = await stages.time('transcription', () => this.transcriptions.transcribe({ audio, language, signal }, who));
      const users = usersOf(callerOf(request));
      const said = { ...speaker, users, text: transcript.text, transcript, clientMessageId, metadata };
      // A silent recording gets no reply.
      const reply =
        transcript.text === '' ? undefined : await this.conversation.reply(agent, said, { voice, language, format }, stages, heard);
      response.set({ 'Server-Timing': stages.header, ...voiceHeader(reply?.voice) });
      return { transcript, speaker, format, reply, stages };
    });
  }

  /** The path names the agent only, and other agents may join the channel. */
  private heard(channelId: string, request: HttpRequest, response: HttpResponse): AbortSignal {
    return hearingSignal(request, response, channelId, { ...request.params, channelId });
  }
}
