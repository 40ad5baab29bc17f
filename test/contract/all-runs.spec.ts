import 'reflect-metadata';
import { describeAllRuns } from '../support/suites/all-runs.js';

describeAllRuns('sqlite');
