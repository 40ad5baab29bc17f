export { GatewayAdapter } from './gateway.adapter.js';
export { GatewayModule } from './gateway.module.js';
