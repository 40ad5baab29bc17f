import 'reflect-metadata';
import { describeRunDetails } from '../support/suites/run-details.js';

describeRunDetails('sqlite');
