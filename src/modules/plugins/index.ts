export { checkPlugin } from './plugin-check.js';
export { PluginHost } from './plugin-host.js';
export { descriptor, PluginModule } from './plugins.module.js';
export { RouteDispatcher } from './route-dispatcher.js';
