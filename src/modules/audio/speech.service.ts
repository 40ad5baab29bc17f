import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Caller } from '../../core/http/index.js';
import {
  AudioEncoder,
  SentenceSplitter,
  SpeechRegistry,
  wavFile,
  type AudioFormat,
  type SpeechSynthesizer,
  type SpokenPiece,
} from '../../providers/speech/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { ChannelsService, MessagesService } from '../messaging/index.js';
import { agentVoiceOf, providerFor, withAgentVoice } from './agent-voice.js';
import { each } from './each.js';
import { ReachableChannels } from './reachable-channels.js';
import { presentVoices, type SpeechOptions, type VoicesView } from './speech.dto.js';
import type { Stages } from './stages.js';

/** An audio file in the making. */
export interface SpeechFile {
  readonly format: AudioFormat;
  /** Whether its first bytes are all of it. */
  readonly whole: boolean;
  /** Id of the voice that speaks, known with the first bytes; undefined when there are none. Of several voices the first. */
  readonly voice: () => string | undefined;
  /** As they are made. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Speech in an agent's voice. */
@Injectable()
export class SpeechService {
  constructor(
    private readonly registry: SpeechRegistry,
    private readonly encoder: AudioEncoder,
    private readonly agents: AgentsService,
    private readonly messages: MessagesService,
    private readonly channels: ChannelsService,
    private readonly reachable: ReachableChannels,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async voices(agentId: string, signal: AbortSignal): Promise<VoicesView> {
    const synthesizer = this.synthesizer(agentId);
    return presentVoices(synthesizer, await synthesizer.voices({ signal }), agentVoiceOf(this.agents.setting(agentId, 'voice')).voice);
  }

  /**
   * The text that is to be spoken, or that of a stored message of a channel in which the agent is.
   *
   * @throws AppError VALIDATION_ERROR when both are given or the text is too long, MESSAGE_NOT_FOUND
   */
  async textOf(
    agent: Agent,
    { text, messageId }: { readonly text?: string; readonly messageId?: string },
    caller: Caller,
  ): Promise<string> {
    if (text !== undefined && messageId !== undefined) {
      throw new AppError('VALIDATION_ERROR', 'text and messageId must not be given together', 'Send the one that is to be spoken.');
    }
    const spoken = text ?? (await this.messageText(agent, messageId ?? '', caller));
    const { speechMaxCharacters } = this.config;
    if (spoken.length <= speechMaxCharacters) return spoken;
    throw new AppError(
      'VALIDATION_ERROR',
      `text must have at most ${speechMaxCharacters} characters to be spoken`,
      `It has ${spoken.length}; send it in parts, or raise SPEECH_MAX_CHARACTERS.`,
    );
  }

  /** Speaks a text in the agent's voice, piece by piece; nothing for a text in which there is nothing to say. @throws AppError */
  speak(agent: Agent, text: string, options: SpeechOptions, signal: AbortSignal): AsyncIterable<SpokenPiece> {
    const own = agentVoiceOf(this.agents.setting(agent.id, 'voice'));
    return this.synthesizer(agent.id).synthesize({ text, ...withAgentVoice(options, own), signal });
  }

  /** A text in the agent's voice as an audio file. What is refused is refused instead of its first bytes. */
  file(
    agent: Agent,
    text: string,
    options: SpeechOptions & { readonly format: AudioFormat },
    stages: Stages,
    signal: AbortSignal,
  ): SpeechFile {
    let voice: string | undefined;
    const spoken = refuseNothing(stages.each('synthesis', this.speak(agent, text, options, signal)));
    const pieces = each(spoken, (piece) => (voice ??= piece.voice));
    // A single sentence is soon made, and a file that is whole has its true length in its header.
    const whole = isOneSentence(text);
    return {
      format: options.format,
      whole,
      voice: () => voice,
      bytes: whole ? once(() => this.wholeFile(pieces, options.format, signal)) : this.stream(pieces, options.format, signal),
    };
  }

  /** A file in pieces, as they are made. */
  stream(pieces: AsyncIterable<SpokenPiece>, format: AudioFormat, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return this.encoder.encode(pieces, format, { signal });
  }

  /** A file in one piece, with its true length in its header. */
  async wholeFile(pieces: AsyncIterable<SpokenPiece>, format: AudioFormat, signal: AbortSignal): Promise<Uint8Array> {
    if (format === 'wav') return wavFile(await all(pieces));
    return Buffer.concat(await all(this.stream(pieces, format, signal)));
  }

  private synthesizer(agentId: string): SpeechSynthesizer {
    return this.registry.synthesizer(providerFor(this.agents, agentId, 'speechProvider'));
  }

  private async messageText(agent: Agent, messageId: string, caller: Caller): Promise<string> {
    const message = await this.messages.find(messageId.toLowerCase());
    const channel = message && (await this.channels.find(message.channelId));
    if (message && channel?.participants.some(({ entityId }) => entityId === agent.id)) {
      await this.reachable.check(caller, channel.id);
      return message.content;
    }
    throw new AppError(
      'MESSAGE_NOT_FOUND',
      `There is no message ${messageId} in a channel of agent ${agent.name}.`,
      'Send the text itself as text.',
    );
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function isOneSentence(text: string): boolean {
  const sentences = new SentenceSplitter();
  return sentences.push(text).length + sentences.end().length <= 1;
}

async function* once<T>(make: () => Promise<T>): AsyncGenerator<T> {
  yield await make();
}

async function* refuseNothing(pieces: AsyncIterable<SpokenPiece>): AsyncGenerator<SpokenPiece> {
  let some = false;
  for await (const piece of pieces) {
    some = true;
    yield piece;
  }
  if (!some) {
    throw new AppError(
      'VALIDATION_ERROR',
      'text has nothing in it that can be spoken',
      'Send words in a language that the engine speaks; markup and emoji are not read out.',
    );
  }
}
