import { describeConversation } from '../support/suites/conversation.js';

describeConversation('postgres');
