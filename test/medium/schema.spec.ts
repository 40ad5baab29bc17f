import { describeSchema } from '../support/suites/schema.js';

describeSchema('sqlite');
