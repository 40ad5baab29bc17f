import { describeJournal } from '../support/suites/journal.js';

describeJournal('postgres');
