export { append, appendFirst, entryPosition } from './append.js';
export {
  definitionOf,
  eventFields,
  registerEvents,
  registeredEvents,
  socketEvents,
  type EventDefinitions,
  type EventFields,
  type JournalEntry,
  type JournalPayloads,
  type JournalType,
} from './events.js';
export { cursorBehind, offsetOf, parseCursor, replyPositionOf, type Cursor, type ReplyPosition } from './cursor.js';
export { JournalFloor, JournalRow } from './journal-entry.entity.js';
export { descriptor, JournalModule } from './journal.module.js';
export { JournalRetention } from './journal-retention.js';
export type { ChannelItems, Gap, JournalItem } from './channel-items.js';
export { Journal } from './journal.js';
export type { Piece, PieceTransport } from './pieces.js';
