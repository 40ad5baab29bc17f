export { GatewayAdapter } from './gateway.adapter.js';
export { descriptor, GatewayModule } from './gateway.module.js';
