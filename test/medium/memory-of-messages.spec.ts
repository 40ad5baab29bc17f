import { describeMemoryOfMessages } from '../support/suites/memory-of-messages.js';

describeMemoryOfMessages('sqlite');
