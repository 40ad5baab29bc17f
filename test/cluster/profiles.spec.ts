import 'reflect-metadata';
import { describeProfiles } from '../support/suites/profiles.js';

describeProfiles('postgres');
