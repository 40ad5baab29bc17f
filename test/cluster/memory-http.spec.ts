import { describeMemoryOperations } from '../support/suites/memory-http.js';

describeMemoryOperations('postgres');
