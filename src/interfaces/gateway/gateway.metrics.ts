import { meter } from '../../core/telemetry/index.js';

export const GATEWAY_METRICS = {
  openSockets: meter.gauge({ name: 'sockets.open', about: 'Sockets connected to this process.' }),
};
