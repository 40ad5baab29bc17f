import { integer, type SettingValues } from '../../core/config/index.js';

export const KNOWLEDGE_SETTINGS = {
  knowledgeDocumentLimit: integer(
    'KNOWLEDGE_DOCUMENT_LIMIT',
    1000,
    { min: 1, max: 100_000 },
    { about: 'Documents that one agent may have.' },
  ),
} as const;

type KnowledgeConfig = SettingValues<typeof KNOWLEDGE_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends KnowledgeConfig {}
}
