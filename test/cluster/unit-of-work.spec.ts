import { describeUnitOfWork } from '../support/suites/unit-of-work.js';

describeUnitOfWork('postgres');
