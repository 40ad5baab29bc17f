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
} from './events.js';
export { cursorBehind, offsetOf, type Cursor } from './cursor.js';
export { JournalFloor, JournalRow } from './journal-entry.entity.js';
export { descriptor, JournalModule } from './journal.module.js';
export { JournalRetention } from './journal-retention.js';
export { Journal, type Gap } from './journal.js';
