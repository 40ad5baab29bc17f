import { describeWebhookDeliveries } from '../support/suites/webhook-deliveries.js';

describeWebhookDeliveries('postgres');
