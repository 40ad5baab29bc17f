import { describePageBytes } from '../support/suites/page-bytes.js';

describePageBytes('postgres');
