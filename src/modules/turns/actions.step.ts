import { Injectable } from '@nestjs/common';
import { Clock, limited } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { idForAgent } from '../../core/ids/index.js';
import type { Action, ActionContext, ActionResult, Content, HandlerCallback, Memory, State } from '../../plugin-sdk/index.js';
import { AgentsService } from '../agents/index.js';
import { MediaService } from '../media/index.js';
import { ACTION_SOURCE, MessagesService } from '../messaging/index.js';
import { argumentsOf, checked, type ToolCall } from './action-arguments.js';
import { failure, resultOf, type ActionOutcome } from './action-result.js';
import { NO_ACTIONS, offered, type OfferedActions } from './action-tools.js';
import { TurnComponents, type Component } from './turn-components.js';
import { saidBy } from './turn-message.js';
import type { Turn } from './turns.types.js';

const VALIDATE_LIMIT_MS = 1000;
const ACTION_LIMIT_MS = 30_000;
// Ids that another caller has given to messages.
const MOST_ATTEMPTS = 16;

type PostMessage = Parameters<MessagesService['post']>[0];
/** Calls of one action with invalid arguments in one turn; then the model has to do without it. */
const MOST_TRIES = 3;
const MOST_NAMES = 50;

/** What an action runs with. */
export interface ActionCall {
  readonly turn: Turn;
  readonly message: Memory;
  readonly state: State;
  /** Number under which its end is recorded. */
  readonly step: number;
  readonly previous: readonly ActionOutcome[];
  readonly signal: AbortSignal;
}

/** Offers actions to the model and runs what it calls. What fails becomes a result that the model sees; the turn goes on. */
@Injectable()
export class ActionsStep {
  constructor(
    private readonly components: TurnComponents,
    private readonly agents: AgentsService,
    private readonly messages: MessagesService,
    private readonly media: MediaService,
    private readonly clock: Clock,
  ) {}

  /** Those whose `validate` does not say no within a second. */
  async offer({ agent }: Turn, message: Memory, state: State, signal: AbortSignal): Promise<OfferedActions> {
    const actions = this.components.actionsOf(agent);
    if (actions.length === 0) return NO_ACTIONS;
    const valid = await Promise.all(
      actions.map(async (action) => {
        const { it, set } = action;
        try {
          return await limited(this.clock, VALIDATE_LIMIT_MS, signal, async (own) => {
            if (!it.validate) return true;
            const runtime = set.runtime(agent, own);
            const valid = (await it.validate(runtime, message, state)) !== false;
            set.asked?.(`action ${it.name}`, runtime, valid);
            return valid;
          });
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          this.components.report('action', action, error);
          return false;
        }
      }),
    );
    return offered(actions.filter((_, index) => valid[index]));
  }

  /** @throws the signal's reason when the turn is stopped meanwhile; nothing else */
  async run(call: ToolCall, actions: OfferedActions, given: ActionCall): Promise<ActionOutcome> {
    const action = actions.find(call.name);
    if (!action || !this.components.has(action)) return this.unknown(call, actions);
    const { name } = action.it;
    const { turn, signal } = given;
    const tries = given.previous.filter((each) => each.action === name && each.refused === 'invalid-arguments').length;
    if (tries >= MOST_TRIES) {
      return refused(call, name, 'too-many-tries', `${name} was called with invalid arguments ${tries} times: answer without it`);
    }
    const parameters = await checked(call, argumentsOf(action.it.parameters));
    if ('faults' in parameters) {
      const last = tries + 1 === MOST_TRIES ? 'answer without it' : 'call it again with valid arguments';
      return refused(call, name, 'invalid-arguments', `${name} was not run, ${last}: ${parameters.faults.join('; ')}`);
    }
    const startedAt = this.clock.now();
    const about = { action: action.it.name, actionId: call.id, messageId: turn.messageId, channelId: turn.channelId };
    this.components.tell({ type: 'ACTION_STARTED', agentId: turn.agentId, payload: about });
    const sent: string[] = [];
    let result: ActionResult;
    try {
      result = await this.handle(action, parameters.value, given, sent);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      this.components.report('action', action, error);
      result = failure(error);
    }
    this.components.tell({ type: 'ACTION_COMPLETED', agentId: turn.agentId, payload: { ...about, success: result.success, result } });
    return { call, action: action.it.name, result, messages: sent, durationMs: this.clock.now() - startedAt };
  }

  private unknown(call: ToolCall, actions: OfferedActions): ActionOutcome {
    const there = (name: string): boolean => this.components.has(actions.find(name) as Component<Action>);
    const names = actions.tools.flatMap(({ name }) => (there(name) ? [name] : [])).slice(0, MOST_NAMES);
    const others = names.length === 0 ? '' : `; there are ${names.join(', ')}`;
    return refused(call, call.name, 'unknown-action', `there is no action ${call.name.slice(0, 100)}${others}`);
  }

  private async handle(
    { it, set }: Component<Action>,
    parameters: Readonly<Record<string, unknown>>,
    given: ActionCall,
    sent: string[],
  ): Promise<ActionResult> {
    const { turn, message, state, step, previous, signal } = given;
    const limit = this.agents.setting(turn.agentId, 'actionTimeoutMs');
    return limited(this.clock, typeof limit === 'number' ? limit : ACTION_LIMIT_MS, signal, async (own) => {
      const options = {
        ...parameters,
        parameters,
        actionContext: contextOf(previous),
        abortSignal: own,
        idempotencyKey: idForAgent(turn.agentId, `action:${turn.messageId}:${step}`),
      };
      const say = this.callback(turn, it.name, step, own, sent);
      return resultOf(await it.handler(set.runtime(turn.agent, own), message, state, options, say, []));
    });
  }

  /** Posts what an action says. Its ids follow from turn and step: an action that is run again after a crash says nothing twice. */
  private callback(turn: Turn, action: string, step: number, signal: AbortSignal, sent: string[]): HandlerCallback {
    return async (given) => {
      signal.throwIfAborted();
      const content: Content = typeof given === 'string' ? { text: given } : given;
      const { text = '' } = content;
      if (text.trim() === '' && !content.attachments?.length) return [];
      const { agent, channel, message } = turn;
      const name = `action:${message.id}:${step}:${sent.length}`;
      const place = sent.push(idForAgent(agent.id, name)) - 1;
      const attachments = content.attachments && (await this.media.keepInline(agent.id, content.attachments));
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
      return [saidBy(turn, { id, content: { ...content, text, attachments }, createdAt: this.clock.now() })];
    };
  }

  /** Stores what an action says, once. @returns its id: the first of its name that no other message has */
  private async post(name: string, message: PostMessage): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      const id = idForAgent(message.authorId, attempt === 0 ? name : `${name}:${attempt}`);
      try {
        await this.messages.post({ ...message, id });
        return id;
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'MESSAGE_EXISTS') || attempt === MOST_ATTEMPTS) throw error;
        const found = await this.messages.find(id);
        // The first run said it in other words; that is what everybody has seen.
        if (found && found.authorId === message.authorId && found.inReplyTo === message.inReplyTo) return id;
      }
    }
  }
}

function refused(call: ToolCall, action: string, why: ActionOutcome['refused'], reason: string): ActionOutcome {
  return { call, action, result: failure(new Error(reason)), messages: [], durationMs: 0, refused: why };
}

function contextOf(previous: readonly ActionOutcome[]): ActionContext {
  return {
    previousResults: previous.map(({ result }) => result),
    getPreviousResult: (name) => previous.findLast(({ action }) => action === name)?.result,
  };
}

/** JSON alone: a content may carry whatever its author put there. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
