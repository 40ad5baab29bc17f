import type { EventDefinitions } from '../../core/journal/index.js';

/** An attempt to handle a webhook delivery. */
interface DeliveryReference {
  deliveryId: string;
  plugin: string;
  /** Method and path, for example `POST /hooks/github`. */
  route: string;
  agentId: string;
  /** The delivery id that the sender assigned. */
  senderId: string | null;
  attempts: number;
  error: string | null;
}

/** These entries have no channel. */
interface PluginEvents {
  'delivery.done': DeliveryReference;
  'delivery.failed': DeliveryReference;
  'delivery.dead': DeliveryReference;
}

export const PLUGIN_EVENTS: EventDefinitions<PluginEvents> = {
  'delivery.done': { about: 'A webhook delivery was handled.' },
  'delivery.failed': { about: 'An attempt to handle a webhook delivery failed. Parley or the sender retries it.' },
  'delivery.dead': { about: 'The last attempt to handle a webhook delivery failed.' },
};

declare module '../../core/journal/events.js' {
  interface JournalPayloads extends PluginEvents {}
}
