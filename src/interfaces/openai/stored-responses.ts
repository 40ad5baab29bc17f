import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import type { Caller } from '../../core/http/index.js';
import type { Message } from '../../modules/messaging/index.js';
import { StoredExchanges, type ProtocolMessage, type StoredExchange } from '../../modules/protocols/index.js';
import { callId } from '../../modules/turns/index.js';
import { plainText } from './output-items.js';
import { readItemId, readResponseId, responseId } from './response-ids.js';
import { isOfResponse, settingsOf, userOf, type ResponseSettings } from './response-settings.js';
import { partBefore, stateOf, type ResponseState } from './response-state.js';
import { presentResponse } from './response-view.js';
import type { ResponseView } from './responses.dto.js';
import type { ReferencedItem } from './responses-input.js';

/** A response that is stored. */
export interface StoredResponse {
  readonly stored: StoredExchange;
  readonly part: number | undefined;
  readonly settings: ResponseSettings;
  readonly state: ResponseState;
}

/** Responses by their ids: messages, the turns that reply to them, and their replies. Nothing else is stored of them. */
@Injectable()
export class StoredResponses {
  constructor(private readonly exchanges: StoredExchanges) {}

  /** Undefined when the caller has no such response. */
  async find(caller: Caller, id: string): Promise<StoredResponse | undefined> {
    const reference = readResponseId(id);
    const stored = reference && (await this.exchanges.find(caller, reference.messageId, userOf));
    if (!stored || !isOfResponse(stored.message)) return undefined;
    const { part } = reference;
    const state = stateOf(stored, part);
    return state && { stored, part, state, settings: this.settingsOf(stored, part) };
  }

  /** @throws AppError RESPONSE_NOT_FOUND */
  async require(caller: Caller, id: string): Promise<StoredResponse> {
    const found = await this.find(caller, id);
    if (found) return found;
    throw new AppError('RESPONSE_NOT_FOUND', `There is no response ${id}.`, 'It was not stored, was deleted, or belongs to another key.');
  }

  present({ stored, part, settings, state }: StoredResponse): ResponseView {
    return presentResponse(stored.message, part, settings, state);
  }

  /** What an item of the caller's responses and conversations stands for; 'unknown' for others. */
  async refer(caller: Caller, id: string): Promise<ReferencedItem | 'unknown'> {
    const reference = readItemId(id);
    const stored = reference && (await this.exchanges.find(caller, reference.messageId, userOf));
    if (!stored) return 'unknown';
    const { kind, step } = reference;
    if (kind === 'rs') return undefined;
    if (step === undefined) return { role: 'user', text: stored.message.content };
    const { rounds, status } = stored.record;
    if (kind === 'msg') {
      const round = rounds.find((each) => each.step === step);
      const isReply = round?.calls.length === 0 && status === 'done';
      return round ? { role: 'assistant', text: isReply ? (stored.reply?.content ?? '') : plainText(round.text) } : 'unknown';
    }
    const round = rounds.find(({ step: first, calls }) => step > first && step <= first + calls.length);
    const call = round?.calls[step - round.step - 1];
    if (!call) return 'unknown';
    const called = { id: callId(stored.message.id, step), name: call.name, input: call.input };
    const told: ProtocolMessage =
      kind === 'fc'
        ? { role: 'assistant', text: '', calls: [called] }
        : { role: 'tool', callId: called.id, name: call.name, text: call.result ?? '' };
    return told;
  }

  /** The messages of the input of a response, oldest first. */
  inputOf({ stored }: StoredResponse): Promise<Message[]> {
    return this.exchanges.sentWith(stored.message);
  }

  /** Later parts of a reply have the settings of the first. */
  private settingsOf({ message, record }: StoredExchange, part: number | undefined): ResponseSettings {
    const settings = settingsOf(message);
    if (part === undefined) return settings;
    return { ...settings, previous_response_id: responseId(message.id, partBefore(record.rounds, part)) };
  }
}
