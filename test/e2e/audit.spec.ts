import { describeAudit } from '../support/suites/audit.js';

describeAudit('sqlite');
