import { Global, Module } from '@nestjs/common';
import { JournalRetention } from './journal-retention.js';
import { Journal } from './journal.js';

@Global()
@Module({ providers: [Journal, JournalRetention], exports: [Journal] })
export class JournalModule {}
