import { Injectable } from '@nestjs/common';
import type { Statement } from '../../../core/database/index.js';
import { HookChain, Hooks, sortHooks, type Hook } from '../../../core/hooks/index.js';
import type { Channel } from '../channels/channel-types.js';
import type { MessageDraft } from './messages.types.js';

// A second attempt nearly always succeeds.
const MAX_ATTEMPTS = 10;

/**
 * A rule for users' messages from every interface. Every policy checks every message, in the order of `order`; the first refusal
 * wins. The session policy has order 0: a policy below 0 refuses before a session is read. `ApiErrors` of its class names its error codes.
 */
export interface MessagePolicy extends Hook {
  /** Unique. */
  readonly name: string;
  /**
   * Checks a message that is about to be stored. Runs outside the transaction, so it may read and wait.
   *
   * @returns statements that run in the message's transaction, before its own; empty when the policy does not apply. Their `refuse`
   *   can roll back the transaction when the data read here has changed
   * @throws AppError to refuse the message
   */
  check(message: MessageDraft, channel: Channel): Promise<readonly Statement[]>;
  /** Whether the transaction failed because data read by `check` has changed. All policies then check the message again, up to ten times. */
  isStale?(error: unknown): boolean;
}

/** The chain of `MessagePolicy`s. */
@Injectable()
export class MessagePolicies extends HookChain<MessagePolicy> {
  constructor(hooks: Hooks) {
    super(() => hooks.of('messagePolicies'));
  }

  /**
   * Stores a message under all policies.
   *
   * @param store commits the message together with the policies' statements
   * @param own replaces the registered policy of the same name, for a caller that has already read the policy's data
   * @throws AppError of the first policy that refuses; what `store` throws
   */
  async apply<T>(
    message: MessageDraft,
    channel: Channel,
    store: (before: readonly Statement[]) => Promise<T>,
    own?: MessagePolicy,
  ): Promise<T> {
    const policies = own ? sortHooks([...this.all().filter(({ name }) => name !== own.name), own]) : this.all();
    for (let attempt = 1; ; attempt++) {
      const before: Statement[] = [];
      for (const policy of policies) before.push(...(await policy.check(message, channel)));
      try {
        return await store(before);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !policies.some((policy) => policy.isStale?.(error))) throw error;
      }
    }
  }
}

declare module '../../../core/hooks/hook-kinds.js' {
  interface HookKinds {
    messagePolicies: MessagePolicy;
  }
}
