import { describeQueue } from '../support/suites/queue.js';

describeQueue('postgres');
