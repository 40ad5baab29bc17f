import { Global, Module } from '@nestjs/common';
import { JournalRetention } from './journal-retention.js';
import { JournalEvidence } from './journal-evidence.js';
import { JournalSequence } from './journal-sequence.js';
import { JournalPersonalData } from './journal-personal-data.js';
import { JournalSource } from './journal-source.js';
import { Journal } from './journal.js';
import { defineModule } from '../modules/index.js';
import { JournalFloor, JournalRow } from './journal-entry.entity.js';
import { Journal1795824000000 } from './migrations/1795824000000-journal.js';
import { JOURNAL_SETTINGS } from './journal.settings.js';
import { JOURNAL_METRICS } from './journal.metrics.js';

@Global()
@Module({
  providers: [Journal, JournalRetention, JournalPersonalData, JournalSource, JournalEvidence, JournalSequence],
  exports: [Journal],
})
export class JournalModule {}

export const descriptor = defineModule({
  name: 'journal',
  about: 'Durable, ordered log of everything that clients can observe.',
  module: JournalModule,
  entities: [JournalRow, JournalFloor],
  migrations: [Journal1795824000000],
  settings: JOURNAL_SETTINGS,
  metrics: JOURNAL_METRICS,
  hooks: {
    retentionSweeps: [JournalRetention],
    personalData: [JournalPersonalData],
    metricSources: [JournalSource],
    faultEvidence: [JournalEvidence],
    invariants: [JournalSequence],
  },
});
