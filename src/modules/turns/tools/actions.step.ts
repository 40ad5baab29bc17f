import { Injectable } from '@nestjs/common';
import { Clock, withTimeout } from '../../../core/clock/index.js';
import { AppError } from '../../../core/errors/index.js';
import { idForAgent } from '../../../core/ids/index.js';
import { cutText } from '../../../core/text/index.js';
import type { ActionContext, ActionResult, Content, HandlerCallback, Memory, State } from '../../../plugin-sdk/index.js';
import { AgentsService } from '../../agents/index.js';
import { MediaService } from '../../media/index.js';
import { ACTION_SOURCE, MessagesService } from '../../messaging/index.js';
import { argumentsValidator, validateArguments, type ToolCall } from './action-arguments.js';
import { failedResult, RESULT_KEYS, toActionResult, type ActionOutcome } from './action-result.js';
import type { OfferedActions, OfferedTool } from './offered-tools.js';
import { describeUnreadKeys } from './result-keys.js';
import { TurnComponents } from '../turn-components.js';
import { agentMessage } from '../attempt/turn-message.js';
import { TURN_METRICS } from '../turns.metrics.js';
import type { Turn } from '../turns.types.js';

const ACTION_LIMIT_MS = 30_000;
// Attempts to find an id that no other message has.
const MAX_ID_ATTEMPTS = 16;

type PostMessage = Parameters<MessagesService['post']>[0];
/** Calls of an action with invalid arguments per turn, before the model is told to reply without it. */
const MAX_TRIES = 3;
const MAX_NAMES = 50;

/** The context of an action call. */
export interface ActionCall {
  readonly turn: Turn;
  readonly message: Memory;
  readonly state: State;
  /** Step number under which the outcome is recorded. */
  readonly step: number;
  readonly previous: readonly ActionOutcome[];
  readonly signal: AbortSignal;
}

/** Runs the actions that the model calls. A failure becomes a result for the model, and the turn continues. */
@Injectable()
export class ActionsStep {
  constructor(
    private readonly components: TurnComponents,
    private readonly agents: AgentsService,
    private readonly messages: MessagesService,
    private readonly media: MediaService,
    private readonly clock: Clock,
  ) {}

  /** @throws only the signal's reason, when the turn is stopped */
  async run(call: ToolCall, actions: OfferedActions, given: ActionCall): Promise<ActionOutcome> {
    const action = actions.find(call.name);
    if (!action && call.dropped !== undefined && actions.findOfCaller(call.name)) {
      return refused(call, call.name, 'invalid-arguments', `${call.name} was not run: the arguments ${call.dropped}`);
    }
    if (!action || !this.components.isRegistered(action)) return this.unknown(call, actions);
    const { name } = action.definition;
    const { turn, signal } = given;
    const tries = given.previous.filter((each) => each.action === name && each.refused === 'invalid-arguments').length;
    if (tries >= MAX_TRIES) {
      return refused(call, name, 'too-many-tries', `${name} was called with invalid arguments ${tries} times; answer without it`);
    }
    const parameters = await validateArguments(call, argumentsValidator(action.definition.parameters));
    if ('errors' in parameters) {
      const last = tries + 1 === MAX_TRIES ? 'answer without it' : 'call it again with valid arguments';
      return refused(call, name, 'invalid-arguments', `${name} was not run, ${last}: ${parameters.errors.join('; ')}`);
    }
    const startedAt = this.clock.now();
    const about = { action: action.definition.name, actionId: call.id, messageId: turn.messageId, channelId: turn.channelId };
    this.components.notify({ type: 'ACTION_STARTED', agentId: turn.agentId, payload: about });
    const sent: string[] = [];
    let result: ActionResult;
    const measure = (outcome: 'completed' | 'failed' | 'aborted'): void =>
      TURN_METRICS.actions.with({ plugin: action.owner, action: name, outcome }).observe(this.clock.now() - startedAt);
    try {
      result = await this.handle(action, parameters.value, given, sent);
    } catch (error) {
      if (signal.aborted) {
        measure('aborted');
        throw signal.reason;
      }
      this.components.report('action', action, error);
      result = failedResult(error);
    }
    measure(result.success === false ? 'failed' : 'completed');
    this.components.notify({ type: 'ACTION_COMPLETED', agentId: turn.agentId, payload: { ...about, success: result.success, result } });
    return { call, action: action.definition.name, result, messages: sent, durationMs: this.clock.now() - startedAt };
  }

  private unknown(call: ToolCall, actions: OfferedActions): ActionOutcome {
    const there = (name: string): boolean => {
      const tool = actions.find(name);
      return tool ? this.components.isRegistered(tool) : actions.findOfCaller(name) !== undefined;
    };
    const names = actions.tools.flatMap(({ name }) => (there(name) ? [name] : [])).slice(0, MAX_NAMES);
    const others = names.length === 0 ? '' : `; available actions: ${names.join(', ')}`;
    return refused(call, call.name, 'unknown-action', `action ${cutText(call.name, 100)} does not exist${others}`);
  }

  private async handle(
    tool: OfferedTool,
    parameters: Readonly<Record<string, unknown>>,
    given: ActionCall,
    sent: string[],
  ): Promise<ActionResult> {
    const { definition } = tool;
    const { turn, step, previous, signal } = given;
    const limit = this.agents.setting(turn.agentId, 'actionTimeoutMs');
    const call = async (own: AbortSignal): Promise<ActionResult> => {
      const options = {
        ...parameters,
        parameters,
        actionContext: contextOf(previous),
        abortSignal: own,
        idempotencyKey: idForAgent(turn.agentId, `action:${turn.messageId}:${step}`),
      };
      const say = this.callback(turn, definition.name, step, own, sent);
      const returned = await definition.call(options, say);
      const unread = describeUnreadKeys(returned, RESULT_KEYS);
      if (unread !== undefined) this.components.report('action', tool, unread);
      return toActionResult(returned);
    };
    return withTimeout(this.clock, typeof limit === 'number' ? limit : ACTION_LIMIT_MS, call, { signal });
  }

  /**
   * Posts the messages of an action. Their ids are derived from the turn and the step, so that a retry after a crash posts nothing twice.
   */
  private callback(turn: Turn, action: string, step: number, signal: AbortSignal, sent: string[]): HandlerCallback {
    return async (given) => {
      signal.throwIfAborted();
      const content: Content = typeof given === 'string' ? { text: given } : given;
      const { text = '' } = content;
      if (text.trim() === '' && !content.attachments?.length) return [];
      const { agent, channel, message } = turn;
      const name = `action:${message.id}:${step}:${sent.length}`;
      const place = sent.push(idForAgent(agent.id, name)) - 1;
      const attachments = content.attachments && (await this.media.storeInline(agent.id, content.attachments));
      const id = await this.post(name, {
        channelId: channel.id,
        authorId: agent.id,
        authorKind: 'agent' as const,
        authorName: agent.name,
        content: text,
        rawMessage: { ...plain({ ...content, attachments }), text, actions: content.actions ?? [action] },
        sourceType: ACTION_SOURCE,
        metadata: {
          agent_id: agent.id,
          agentName: agent.name,
          action,
          ...(message.metadata['sessionId'] === undefined ? {} : { sessionId: message.metadata['sessionId'] }),
          ...(attachments === undefined ? {} : { attachments: plain({ attachments })['attachments'] }),
        },
        inReplyTo: message.id,
        vouched: message.vouched,
      });
      sent[place] = id;
      return [agentMessage(turn, { id, content: { ...content, text, attachments }, createdAt: this.clock.now() })];
    };
  }

  /** Posts a message of an action once. @returns the first id derived from `name` that no other message has */
  private async post(name: string, message: PostMessage): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      const id = idForAgent(message.authorId, attempt === 0 ? name : `${name}:${attempt}`);
      try {
        await this.messages.post({ ...message, id });
        return id;
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'MESSAGE_EXISTS') || attempt === MAX_ID_ATTEMPTS) throw error;
        const found = await this.messages.find(id);
        // An earlier run posted another text; clients have seen that one, so it is kept.
        if (found && found.authorId === message.authorId && found.inReplyTo === message.inReplyTo) return id;
      }
    }
  }
}

function refused(call: ToolCall, action: string, why: ActionOutcome['refused'], reason: string): ActionOutcome {
  return { call, action, result: failedResult(new Error(reason)), messages: [], durationMs: 0, refused: why };
}

function contextOf(previous: readonly ActionOutcome[]): ActionContext {
  return {
    previousResults: previous.map(({ result }) => result),
    getPreviousResult: (name) => previous.findLast(({ action }) => action === name)?.result,
  };
}

/** A JSON copy: plugins may put any value into a content. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
