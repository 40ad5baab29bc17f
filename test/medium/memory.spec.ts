import { describeMemoryIndexer } from '../support/suites/memory-indexer.js';
import { describeMemoryOfMessages } from '../support/suites/memory-of-messages.js';
import { describeMemoryOperations } from '../support/suites/memory-http.js';
import { describeRecall } from '../support/suites/memory-recall.js';

describeMemoryOperations('sqlite');
describeRecall('sqlite');
describeMemoryIndexer('sqlite');
describeMemoryOfMessages('sqlite');
