import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Caller } from '../../core/http/index.js';
import { characterCount, hasAtMost } from '../../core/text/index.js';
import {
  AudioEncoder,
  SentenceSplitter,
  SpeechRegistry,
  wavFile,
  type AudioFormat,
  type SpeechSynthesizer,
  type SpeechChunk,
} from '../../providers/speech/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { ChannelsService, MessagesService } from '../messaging/index.js';
import { parseVoiceSetting, speechChoiceOf, withVoiceDefaults } from './agent-voice.js';
import { measuredSpeech } from './measured-speech.js';
import { tap } from './tap.js';
import { ChannelReach } from './channel-reach.js';
import { presentVoices, type SpeechOptions, type VoicesView } from './speech.dto.js';
import type { StageTimer } from './stage-timer.js';

/** An audio file that is being generated. */
export interface SpeechFile {
  readonly format: AudioFormat;
  /** Whether the first chunk is the complete file. */
  readonly whole: boolean;
  /** Id of the first voice, known once the first bytes have arrived; undefined when the file is empty. */
  readonly voice: () => string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Speech synthesis in an agent's voice. */
@Injectable()
export class SpeechService {
  constructor(
    private readonly registry: SpeechRegistry,
    private readonly encoder: AudioEncoder,
    private readonly agents: AgentsService,
    private readonly messages: MessagesService,
    private readonly channels: ChannelsService,
    private readonly reachable: ChannelReach,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async voices(agentId: string, signal: AbortSignal): Promise<VoicesView> {
    const synthesizer = this.synthesizer(agentId);
    return presentVoices(synthesizer, await synthesizer.voices({ signal }), parseVoiceSetting(this.agents.setting(agentId, 'voice')).voice);
  }

  /**
   * The text to speak: `text`, or the text of a stored message in one of the agent's channels.
   *
   * @throws AppError VALIDATION_ERROR when both are given or the text is too long, MESSAGE_NOT_FOUND
   */
  async textOf(
    agent: Agent,
    { text, messageId }: { readonly text?: string; readonly messageId?: string },
    caller: Caller,
  ): Promise<string> {
    if (text !== undefined && messageId !== undefined) {
      throw new AppError('VALIDATION_ERROR', 'text and messageId must not be given together', 'Send only one of them.');
    }
    const spoken = text ?? (await this.messageText(agent, messageId ?? '', caller));
    this.assertSpeakable('text', spoken);
    return spoken;
  }

  /** @param field where the request has the text @throws AppError VALIDATION_ERROR when the text is too long */
  assertSpeakable(field: string, spoken: string): void {
    const { speechMaxCharacters } = this.config;
    if (hasAtMost(spoken, speechMaxCharacters)) return;
    throw new AppError(
      'VALIDATION_ERROR',
      `${field} must have at most ${speechMaxCharacters} characters`,
      `It has ${characterCount(spoken)} characters; send it in parts, or raise SPEECH_MAX_CHARACTERS.`,
    );
  }

  /** Speaks a text in the agent's voice, in chunks; no chunks for a text without words. @throws AppError */
  speak(agent: Agent, text: string, options: SpeechOptions, signal: AbortSignal): AsyncIterable<SpeechChunk> {
    const own = parseVoiceSetting(this.agents.setting(agent.id, 'voice'));
    const synthesizer = this.synthesizer(agent.id);
    const chunks = synthesizer.synthesize({ text, ...withVoiceDefaults(options, own), signal });
    return measuredSpeech(chunks, synthesizer.provider, this.clock, signal);
  }

  /**
   * A text in the agent's voice as an audio file. Errors are thrown before the first bytes.
   *
   * @param options `field`: where the request has the text, by default `text`
   */
  file(
    agent: Agent,
    text: string,
    { field = 'text', ...options }: SpeechOptions & { readonly format: AudioFormat; readonly field?: string },
    stages: StageTimer,
    signal: AbortSignal,
  ): SpeechFile {
    let voice: string | undefined;
    const spoken = assertNotSilent(field, stages.timeEach('synthesis', this.speak(agent, text, options, signal)));
    const pieces = tap(spoken, (piece) => (voice ??= piece.voice));
    // A single sentence is generated quickly, and only a complete file has its true length in the header.
    const whole = isOneSentence(text);
    return {
      format: options.format,
      whole,
      voice: () => voice,
      bytes: whole ? lazy(() => this.wholeFile(pieces, options.format, signal)) : this.stream(pieces, options.format, signal),
    };
  }

  /** A file in chunks, as they are generated. */
  stream(pieces: AsyncIterable<SpeechChunk>, format: AudioFormat, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return this.encoder.encode(pieces, format, { signal });
  }

  /** A complete file, with its true length in the header. */
  async wholeFile(pieces: AsyncIterable<SpeechChunk>, format: AudioFormat, signal: AbortSignal): Promise<Uint8Array> {
    if (format === 'wav') return wavFile(await collect(pieces));
    return Buffer.concat(await collect(this.stream(pieces, format, signal)));
  }

  private synthesizer(agentId: string): SpeechSynthesizer {
    return this.registry.synthesizer(speechChoiceOf(this.agents, agentId, 'speechProvider'));
  }

  private async messageText(agent: Agent, messageId: string, caller: Caller): Promise<string> {
    const message = await this.messages.find(messageId.toLowerCase());
    const channel = message && (await this.channels.find(message.channelId));
    if (message && channel?.participants.some(({ entityId }) => entityId === agent.id)) {
      await this.reachable.assertReachable(caller, channel.id);
      return message.content;
    }
    throw new AppError(
      'MESSAGE_NOT_FOUND',
      `Message ${messageId} not found in the channels of agent ${agent.name}.`,
      'Send the text itself in the field text.',
    );
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function isOneSentence(text: string): boolean {
  const sentences = new SentenceSplitter();
  return sentences.push(text).length + sentences.end().length <= 1;
}

async function* lazy<T>(make: () => Promise<T>): AsyncGenerator<T> {
  yield await make();
}

async function* assertNotSilent(field: string, pieces: AsyncIterable<SpeechChunk>): AsyncGenerator<SpeechChunk> {
  let some = false;
  for await (const piece of pieces) {
    some = true;
    yield piece;
  }
  if (!some) {
    throw new AppError(
      'VALIDATION_ERROR',
      `${field} contains no words that can be spoken`,
      'Send words in a language that the engine supports; markup and emoji are not spoken.',
    );
  }
}
