import { describeStatistics } from '../support/suites/statistics.js';

describeStatistics('sqlite');
