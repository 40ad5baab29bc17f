import { PluginValueRow } from './plugin-value.entity.js';

export const PLUGIN_ENTITIES = [PluginValueRow];
