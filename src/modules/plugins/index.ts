export { PluginHost } from './plugin-host.js';
export { PluginModule } from './plugins.module.js';
