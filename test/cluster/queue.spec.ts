import { describeJobRunner } from '../support/suites/job-runner.js';
import { describeQueue } from '../support/suites/queue.js';
import { describeQueueLeases } from '../support/suites/queue-leases.js';

describeQueue('postgres');
describeQueueLeases('postgres');
describeJobRunner('postgres');
