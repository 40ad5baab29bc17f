import { describeMemoryIndexer } from '../support/suites/memory-indexer.js';
import { describeMemoryOperations } from '../support/suites/memory-http.js';
import { describeRecall } from '../support/suites/memory-recall.js';

describeMemoryOperations('sqlite');
describeRecall('sqlite');
describeMemoryIndexer('sqlite');
