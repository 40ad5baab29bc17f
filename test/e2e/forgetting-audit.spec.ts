import 'reflect-metadata';
import { describeForgettingAudit } from '../support/suites/forgetting-audit.js';

describeForgettingAudit('sqlite');
