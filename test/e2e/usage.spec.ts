import 'reflect-metadata';
import { describeUsage } from '../support/suites/usage.js';

describeUsage('sqlite');
