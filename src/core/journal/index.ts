export { append, CHANNEL_HEAD_SQL, positionOf } from './append.js';
export * from './entries.js';
export { JournalFloor, JournalRow } from './journal-entry.entity.js';
export { JournalModule } from './journal.module.js';
export { JournalRetention } from './journal-retention.js';
export { Journal, type Gap } from './journal.js';
