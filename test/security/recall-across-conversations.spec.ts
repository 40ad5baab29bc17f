import { describeRecallAcrossConversations } from '../support/suites/recall-across-conversations.js';

describeRecallAcrossConversations('sqlite');
