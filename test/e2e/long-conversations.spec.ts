import 'reflect-metadata';
import { describeLongConversations } from '../support/suites/long-conversations.js';

describeLongConversations('sqlite');
