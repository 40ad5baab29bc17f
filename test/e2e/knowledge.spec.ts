import { describeKnowledge } from '../support/suites/knowledge.js';

describeKnowledge('sqlite');
