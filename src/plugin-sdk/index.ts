// The only thing that plugins import, as `parley/plugin-sdk`: types and tiny helpers, nothing of the server.
export * from './components.js';
export * from './conversation.js';
export * from './plugin.js';
export * from './requests.js';
export * from './routes.js';
export * from './runtime.js';
export * from './webhooks.js';
