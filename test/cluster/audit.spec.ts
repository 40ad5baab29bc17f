import 'reflect-metadata';
import { describeAudit } from '../support/suites/audit.js';

describeAudit('postgres');
