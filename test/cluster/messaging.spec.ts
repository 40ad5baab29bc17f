import { describeMessaging } from '../support/suites/messaging.js';

describeMessaging('postgres');
