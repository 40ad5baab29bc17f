import { describeUnreleased } from '../support/suites/unreleased.js';

describeUnreleased('sqlite');
