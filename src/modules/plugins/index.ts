export { checkPlugin, checkPlugins } from './plugin-check.js';
export { isServerPath } from './path-precedence.js';
export { PluginHost } from './plugin-host.js';
export { descriptor, PluginModule } from './plugins.module.js';
export { RouteDispatcher } from './route-dispatcher.js';
