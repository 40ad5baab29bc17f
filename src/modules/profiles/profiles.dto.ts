import type { UserFact } from '../memory/index.js';

/** A fact about a user. */
export class FactView {
  /** Id of its memory, which can be changed and deleted like any other. @format uuid */
  id!: string;
  /** @example Lives in Berlin. */
  text!: string;
  /** Its topic; may be empty. @example home */
  key!: string;
  /** When the user said so. @format date-time */
  validFrom!: string;
  /** When the user said otherwise; null while the fact holds. @format date-time */
  validUntil!: string | null;
  /** The fact whose value it changed; null when it changed none. @format uuid */
  replaces!: string | null;
  /** Ids of the memories of the messages that it comes from. */
  sources!: string[];
}

/** What an agent knows about a user from what that user told it. */
export class ProfileView {
  /** @format uuid */
  userId!: string;
  /** At most 100, newest first, those that no longer hold included. */
  facts!: FactView[];
}

export function presentProfile(userId: string, facts: readonly UserFact[]): ProfileView {
  return {
    userId,
    facts: facts.map(({ id, text, key, validFrom, validUntil, replaces, sources }) => ({
      ...{ id, text, key, replaces },
      validFrom: new Date(validFrom).toISOString(),
      validUntil: validUntil === null ? null : new Date(validUntil).toISOString(),
      sources: [...sources],
    })),
  };
}
