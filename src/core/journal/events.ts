/** Fields of an event as clients receive them. */
export type EventFields = Readonly<Record<string, unknown>>;

/** A message that a user has written. */
export interface AuthoredMessage {
  readonly messageId: string;
  readonly userId: string;
}

/**
 * What one type of journal entry means to its readers. A module that reads entries of modules above it adds a member by declaration
 * merging, and the definitions of those modules declare it.
 */
export interface EventDefinition<P> {
  /** One sentence for `docs/reference/events.md`. */
  readonly about: string;
  /** Fields that both sockets and streams send, under the same names; none by default. */
  readonly fields?: (payload: P) => EventFields;
  /**
   * The socket.io events for clients in the channel, by name, with their fields in addition to `fields`; none by default. Entries without a
   * channel are not sent to clients. `at` is the time of the entry, epoch ms.
   */
  readonly sockets?: Readonly<Record<string, (payload: P, at: number) => EventFields>>;
  /**
   * The class of what clients may rely on, in streams and in the first of `sockets`; of a `*.dto.ts`, for the OpenAPI document and the types
   * of the client. Fields of one literal value tell events with the same first socket apart. Absent when clients need no type.
   */
  readonly view?: new () => object;
  /** The message that the entry stores, if a user has written it; for the erasure of personal data. */
  readonly authored?: (payload: P) => AuthoredMessage | undefined;
  /**
   * True for a fragment whose whole is in a later entry. It has the sequence number of the entry before it and is deleted 15 minutes after
   * it was appended.
   */
  readonly transient?: boolean;
  /** True for an entry of a channel that every process reads, because it keeps something about the channel. Entries without one always are. */
  readonly everywhere?: boolean;
}

/** Definitions of all events of `Payloads`. */
export type EventDefinitions<Payloads> = { readonly [T in keyof Payloads]: EventDefinition<Payloads[T]> };

/**
 * Every type of journal entry and its payload. A module adds its own by declaration merging:
 * `interface JournalPayloads extends SessionEvents {}`.
 */
export interface JournalPayloads {}

export type JournalType = keyof JournalPayloads;

/** A journal entry. */
export type JournalEntry = {
  [T in JournalType]: {
    readonly type: T;
    readonly payload: JournalPayloads[T];
    /** Position in the journal; strictly increasing in commit order. */
    readonly offset: number;
    readonly channelId: string | null;
    /** Position in the channel: 1, 2, 3, … without gaps. Transient entries have the number of the entry before them. */
    readonly seq: number | null;
    /** Epoch ms. */
    readonly at: number;
    readonly requestId: string | null;
  };
}[JournalType];

const definitions = new Map<string, EventDefinition<never>>();

/** Adds the events of a module. @throws Error when another module already defines one of them */
export function registerEvents(events: Partial<EventDefinitions<JournalPayloads>>): void {
  for (const [type, definition] of Object.entries(events) as [string, EventDefinition<never>][]) {
    if ((definitions.get(type) ?? definition) !== definition) throw new Error(`journal event ${type} is defined twice`);
    definitions.set(type, definition);
  }
}

/** All registered event types, in the order of registration. */
export function registeredEvents(): (readonly [type: string, definition: EventDefinition<never>])[] {
  return [...definitions];
}

/** The definition of a type; undefined for types of modules that are not loaded. */
export function definitionOf<T extends JournalType>(type: T): EventDefinition<JournalPayloads[T]> | undefined {
  return definitions.get(type) as EventDefinition<JournalPayloads[T]> | undefined;
}

/** The fields of an entry that sockets and streams both send. */
export function eventFields({ type, payload }: JournalEntry): EventFields {
  return definitions.get(type)?.fields?.(payload as never) ?? {};
}

/** The socket.io events of an entry, each with its fields in addition to `eventFields`. */
export function socketEvents({ type, payload, at }: JournalEntry): (readonly [name: string, fields: EventFields])[] {
  return Object.entries(definitions.get(type)?.sockets ?? {}).map(([name, fields]) => [name, fields(payload as never, at)]);
}

/** Whether entries of a type are read by every process (`EventDefinition.everywhere`). */
export function isEverywhere(type: JournalType): boolean {
  return definitions.get(type)?.everywhere === true;
}

/** Whether entries of a type are transient (`EventDefinition.transient`). */
export function isTransient(type: JournalType): boolean {
  return definitions.get(type)?.transient === true;
}

/** All types whose entries may be messages of users (`EventDefinition.authored`). */
export function authoringTypes(): string[] {
  return [...definitions].flatMap(([type, { authored }]) => (authored ? [type] : []));
}

/** All transient types (`EventDefinition.transient`). */
export function transientTypes(): string[] {
  return [...definitions].flatMap(([type, { transient }]) => (transient ? [type] : []));
}
