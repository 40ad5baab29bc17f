import { UsageRow } from './usage.entity.js';

export const USAGE_ENTITIES = [UsageRow];
