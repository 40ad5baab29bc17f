import { describeConversationMemory } from '../support/suites/conversation-memory.js';
import { describeRecall } from '../support/suites/memory-recall.js';
import { describeRecallTime } from '../support/suites/recall-time.js';

describeConversationMemory('sqlite');
describeRecall('sqlite');
describeRecallTime('sqlite');
