import { describeMemoryHistory } from '../support/suites/memory-history.js';

describeMemoryHistory('postgres');
