import { describeReadyLists } from '../support/suites/ready-lists.js';

describeReadyLists('sqlite');
