export { AGENT_SERVICES, type ServiceOverride, type ServiceOverrides } from './agent-services.js';
