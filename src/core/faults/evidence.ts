/** What a module knows when a fault happens; a class of the hook kind `faultEvidence`. */
export interface FaultEvidence {
  /** Key in the record's `evidence`. */
  readonly name: string;
  /**
   * JSON data about the present state, without texts of users and without secrets. May read the database; a call that takes longer than
   * two seconds, or fails, is recorded as such.
   *
   * @param requestId the request in which the fault happened
   */
  collect(requestId: string | undefined): unknown;
}

/** A condition on stored data that always holds; a class of the hook kind `invariants`. */
export interface Invariant {
  /** Lower case, words joined by dots: `journal.heads`. */
  readonly name: string;
  /** Checks it with a bounded read. @returns one sentence on the violation; undefined when the condition holds */
  violation(): Promise<string | undefined>;
}

declare module '../hooks/hook-kinds.js' {
  interface HookKinds {
    faultEvidence: FaultEvidence;
    invariants: Invariant;
  }
}
