import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import type { Caller, HttpRequest } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import type { Agent } from '../../modules/agents/index.js';
import type { Message } from '../../modules/messaging/index.js';
import {
  agentsIn,
  AgentModels,
  CallerChannels,
  ProtocolConversations,
  ProtocolTurns,
  refuseField,
  repetitionOf,
  type ProtocolRequest,
} from '../../modules/protocols/index.js';
import { responseId } from './response-ids.js';
import { openCalls } from './response-state.js';
import { storedSettings, userOf, type ResponseSettings } from './response-settings.js';
import type { ResponsesBody } from './responses.dto.js';
import { readResponsesInput } from './responses-input.js';
import { readConversation, readResponsesOptions } from './responses-options.js';
import { StoredResponses } from './stored-responses.js';

/** Where a request for a response belongs. */
type Target = Pick<ProtocolRequest, 'continues' | 'conversation' | 'user'>;

/** Reads requests for responses. */
@Injectable()
export class ResponseRequests {
  constructor(
    private readonly models: AgentModels,
    private readonly turns: ProtocolTurns,
    private readonly channels: CallerChannels,
    private readonly conversations: ProtocolConversations,
    private readonly stored: StoredResponses,
  ) {}

  /** @throws AppError VALIDATION_ERROR naming the field, AGENT_NOT_FOUND, AGENT_STOPPED, PREVIOUS_RESPONSE_NOT_FOUND, CONVERSATION_NOT_FOUND */
  async read(
    body: ResponsesBody,
    caller: Caller,
    request: HttpRequest,
    createdId: string | undefined,
  ): Promise<{ readonly asked: ProtocolRequest; readonly settings: ResponseSettings }> {
    assertStored(body);
    const { turn, hearsReasoning, settings } = readResponsesOptions(body);
    const { messages: sent, instructions } = await readResponsesInput(body.input, (id) => this.stored.refer(caller, id));
    const agent = this.models.requireRunning(caller, body.model);
    this.turns.assertFormat(agent, turn.options, 'text.format');
    const isContinued = isGiven(body.previous_response_id) || isGiven(body.conversation);
    const { messages, given } = withQuestion(sent, [body.instructions ?? '', ...instructions]);
    assertEnd(messages, isContinued);
    const target = await this.targetOf(body, caller, agent, messages);
    const shown = {
      ...settings,
      conversation: isGiven(body.conversation) ? { id: '' } : null,
      user: target.user !== undefined && settings.safety_identifier === null ? target.user : settings.user,
    };
    return {
      settings: shown,
      asked: {
        protocol: 'openai',
        ...{ caller, agent, messages, hearsReasoning },
        ...target,
        addsOnly: isContinued,
        turn: { ...turn, ...(given !== '' && { instructions: given }) },
        isStored: body.store !== false,
        metadata: { ...body.metadata, ...storedSettings(shown) },
        repetition: repetitionOf(request, createdId),
      },
    };
  }

  idOf({ id }: Pick<Message, 'id'>, part: number | undefined): string {
    return responseId(id, part);
  }

  private async targetOf(body: ResponsesBody, caller: Caller, agent: Agent, messages: ProtocolRequest['messages']): Promise<Target> {
    const user = body.user ?? body.safety_identifier ?? undefined;
    if (isGiven(body.previous_response_id)) return this.previous(body.previous_response_id, { caller, agent, user, messages });
    const conversation = readConversation(body.conversation);
    if (conversation === undefined) return { user };
    if (isUuid(conversation)) await this.join(conversation, { caller, agent, user });
    return { user, conversation };
  }

  private async previous(
    id: string,
    { caller, agent, user, messages }: Pick<ProtocolRequest, 'caller' | 'agent' | 'user' | 'messages'>,
  ): Promise<Target> {
    const found = await this.stored.find(caller, id);
    const named = found && userOf(found.stored.message);
    if (!found || (user !== undefined && user !== named)) {
      throw new AppError(
        'PREVIOUS_RESPONSE_NOT_FOUND',
        `Previous response with id '${id}' not found.`,
        'It was not stored, was deleted, or belongs to another key or user. Send the whole conversation as input.',
      );
    }
    const { stored } = found;
    if (stored.agent.id !== agent.id) refuseField('model', `must be ${stored.agent.name}, the agent of the previous response`);
    const open = openCalls(stored);
    if (open && messages.at(-1)?.role !== 'tool') {
      refuseField('input', `must have the outputs of the functions that the previous response called: ${open.join(', ')}`);
    }
    return { continues: stored.message.id, user: named };
  }

  /** A conversation that the caller created gets its agent with the first response; those of other interfaces have one. */
  private async join(id: string, who: Pick<ProtocolRequest, 'caller' | 'agent' | 'user'>): Promise<void> {
    const { caller, agent } = who;
    const created = await this.channels.find(caller, id);
    if (!created) {
      if (await this.conversations.find(who, id)) return;
      throw new AppError('CONVERSATION_NOT_FOUND', 'There is no such conversation.', 'POST /v1/conversations creates one.');
    }
    const [present] = agentsIn(created);
    if (present !== undefined && present !== agent.id) refuseField('model', 'must be the agent of the conversation');
    await this.channels.invite(created, agent, caller);
  }
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

/** A response that is not stored can neither be read later nor gone on from. */
function assertStored({ store, background, previous_response_id: previous, conversation }: ResponsesBody): void {
  if (isGiven(previous) && isGiven(conversation)) {
    refuseField('previous_response_id', 'must be left out with conversation', 'A conversation goes on from its last response.');
  }
  if (store !== false) return;
  const remedy = 'With store false, nothing is kept: send the whole conversation as input, or leave store out.';
  if (background === true) refuseField('background', 'must be false with store false', remedy);
  if (isGiven(previous)) refuseField('previous_response_id', 'must be left out with store false', remedy);
  if (isGiven(conversation)) refuseField('conversation', 'must be left out with store false', remedy);
}

/** Some clients put their only question into a message of the system. */
function withQuestion(
  messages: ProtocolRequest['messages'],
  instructions: readonly string[],
): { readonly messages: ProtocolRequest['messages']; readonly given: string } {
  const given = instructions.filter((text) => text !== '');
  const question = messages.length === 0 ? given.at(-1) : undefined;
  if (question === undefined) return { messages, given: given.join('\n\n') };
  return { messages: [{ role: 'user', text: question }], given: given.filter((_, index) => index < given.length - 1).join('\n\n') };
}

function assertEnd(messages: ProtocolRequest['messages'], isContinued: boolean): void {
  const last = messages.at(-1)?.role;
  if (last === undefined) refuseField('input', 'must not be empty');
  if (isContinued && messages.some(({ role }) => role === 'tool')) {
    if (messages.some(({ role }) => role === 'user')) {
      refuseField(
        'input',
        'must have either outputs of functions or messages',
        'Send the outputs first, and the message with the response to them.',
      );
    }
    return;
  }
  if (!messages.some(({ role }) => role === 'user')) refuseField('input', 'must have a message of the user');
  if (isContinued && last !== 'user') refuseField('input', 'must end with a message of the user');
}
