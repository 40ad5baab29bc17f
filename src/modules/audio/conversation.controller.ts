import { Controller, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  Accepts,
  Answers,
  callerOf,
  clientGone,
  isMultipart,
  Refuses,
  usersOf,
  UuidPipe,
  type HttpRequest,
  type HttpResponse,
} from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';
import { AUDIO_REFUSALS, SPEECH_REFUSALS, TURN_REFUSALS } from './audio.errors.js';
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
  type Heard,
} from './conversation.dto.js';
import { ConversationService } from './conversation.service.js';
import { readFields } from './fields.js';
import { RecordingUploads } from './recording-uploads.js';
import { RunningAgentGuard } from './running-agent.guard.js';
import { SpeakingPlaces } from './speaking-places.js';
import { AUDIO_ANSWERS, formatFor, sendAudio, voiceHeader } from './speech-answer.js';
import { toFormat, toOptions } from './speech.dto.js';
import { Stages } from './stages.js';
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
    private readonly places: SpeakingPlaces,
    private readonly clock: Clock,
  ) {}

  /** Talks to the agent: JSON with a text is answered with audio, a recording (multipart) with JSON that holds texts and audio. */
  @Post('speech/conversation')
  @Accepts({ mediaType: 'application/json', body: ConversationBody }, RECORDING)
  @Answers(...AUDIO_ANSWERS, { status: 204, about: 'The agent chose to say nothing.' })
  @HttpCode(200)
  @Refuses(...TURN_REFUSALS, ...SPEECH_REFUSALS, ...AUDIO_REFUSALS)
  async converse(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ConversationView | undefined> {
    if (isMultipart(request)) return presentConversation(await this.hear(agentId, request, response));
    await this.answerText(agentId, readFields(request.body as Record<string, unknown>, ConversationBody), request, response);
    return undefined;
  }
  /** As a recording sent to `speech/conversation`. */
  @Post('speech')
  @Accepts(RECORDING)
  @HttpCode(200)
  @Refuses(...TURN_REFUSALS, ...SPEECH_REFUSALS, ...AUDIO_REFUSALS)
  async speech(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ConversationView> {
    return presentConversation(await this.hear(agentId, request, response));
  }

  /** Sends a recording as a message; answers with what was heard and what the agent says to it. */
  @Post('audio-messages')
  @Accepts(RECORDING)
  @HttpCode(200)
  @Refuses(...TURN_REFUSALS, ...SPEECH_REFUSALS, ...AUDIO_REFUSALS)
  async audioMessage(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<AudioMessageView> {
    return presentAudioMessage(await this.hear(agentId, request, response));
  }

  /** As `audio-messages`, in other words. */
  @Post('process-audio')
  @Accepts(RECORDING)
  @HttpCode(200)
  @Refuses(...TURN_REFUSALS, ...SPEECH_REFUSALS, ...AUDIO_REFUSALS)
  async processAudio(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ProcessedAudioView> {
    return presentProcessedAudio(await this.hear(agentId, request, response));
  }

  private async answerText(agentId: string, body: ConversationBody, request: HttpRequest, response: HttpResponse): Promise<void> {
    const agent = this.agents.requireRunning(agentId);
    const stages = new Stages(this.clock);
    const place = await this.places.find(agent, body, callerOf(request));
    const users = usersOf(callerOf(request));
    const said = { ...place, users, text: textOf(body), clientMessageId: body.clientMessageId, metadata: body.metadata ?? {} };
    const options = { ...toOptions(body), format: formatFor(request, toFormat(body)) };
    const file = await this.conversation.stream(agent, said, options, stages, clientGone(response));
    const { channelId, authorId } = place;
    await sendAudio(response, file, stages, { 'X-Channel-Id': channelId, 'X-Message-Id': file.messageId, 'X-Entity-Id': authorId });
  }

  private hear(agentId: string, request: HttpRequest, response: HttpResponse): Promise<Heard> {
    const agent = this.agents.requireRunning(agentId);
    const stages = new Stages(this.clock);
    const signal = clientGone(response);
    return this.uploads.receive(request, response, async ({ audio, fields }) => {
      const given = readFields(fields, ConversationFields);
      const metadata = metadataOf(given.metadata);
      const place = await this.places.find(agent, given, callerOf(request));
      const format = toFormat({ format: given.responseFormat }) ?? 'wav';
      const { language, voice, clientMessageId } = given;
      const who = { agentId, userId: place.authorId };
      const transcript = await stages.time('transcription', () => this.transcriptions.transcribe({ audio, language, signal }, who));
      const users = usersOf(callerOf(request));
      const said = { ...place, users, text: transcript.text, transcript, clientMessageId, metadata };
      // Who said nothing gets no answer.
      const reply =
        transcript.text === '' ? undefined : await this.conversation.reply(agent, said, { voice, language, format }, stages, signal);
      response.set({ 'Server-Timing': stages.header, ...voiceHeader(reply?.voice) });
      return { transcript, place, format, reply, stages };
    });
  }
}
