import 'reflect-metadata';
import { describePrivacy } from '../support/suites/privacy.js';

describePrivacy('sqlite');
