// The entry point for plugins, `parley-server/plugin-sdk`: types and small helpers, independent of the server.
export * from './components.js';
export * from './conversation.js';
export * from './plugin.js';
export * from './requests.js';
export * from './routes.js';
export * from './runtime.js';
export * from './secrets.js';
export * from './webhooks.js';
