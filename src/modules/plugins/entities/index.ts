import { PluginValueRow } from './plugin-value.entity.js';
import { WebhookDeliveryRow } from './webhook-delivery.entity.js';

export const PLUGIN_ENTITIES = [PluginValueRow, WebhookDeliveryRow];
