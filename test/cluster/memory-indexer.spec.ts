import { describeMemoryIndexer } from '../support/suites/memory-indexer.js';

describeMemoryIndexer('postgres');
