export { HookChain, sortHooks, type Hook } from './hook-chain.js';
export { hookClasses, Hooks, registerHooks, type HookClasses, type HookKinds } from './hook-kinds.js';
export { HooksModule } from './hooks.module.js';
