import { ApiKeyRow } from './api-key.entity.js';

export const ACCESS_ENTITIES = [ApiKeyRow];
