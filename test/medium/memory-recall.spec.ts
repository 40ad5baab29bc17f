import { describeRecall } from '../support/suites/memory-recall.js';

describeRecall('sqlite');
