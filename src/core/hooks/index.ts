export { HookChain, sortHooks, type Hook } from './hook-chain.js';
export { Hooks, registerHooks, type HookClasses } from './hook-kinds.js';
export { HooksModule } from './hooks.module.js';
