// All pages: address, name in the menu, and the module that is loaded when the page is opened.
import type { ComponentType } from 'preact';
import type { TextName } from './i18n.js';
import type { PageProps } from './page-props.js';
import type { IconName } from './ui/icon.js';

export interface Page {
  readonly id: string;
  /** The first is the address of the menu. */
  readonly paths: readonly [string, ...string[]];
  readonly title: TextName;
  readonly icon: IconName;
  /** The page fills the window and scrolls by itself. */
  readonly full?: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

export const PAGES: readonly Page[] = [
  {
    id: 'chat',
    paths: ['/', '/chat/:channelId'],
    title: 'nav.chat',
    icon: 'chat',
    full: true,
    load: () => import('./pages/chat/chat-page.js'),
  },
  {
    id: 'agents',
    paths: ['/agents', '/agents/:id'],
    title: 'nav.agents',
    icon: 'agent',
    full: true,
    load: () => import('./pages/agents/agents-page.js'),
  },
  {
    id: 'memories',
    paths: ['/memories', '/memories/users/:userId', '/memories/:agentId/:memoryId'],
    title: 'nav.memories',
    icon: 'memory',
    load: () => import('./pages/memories/memories-page.js'),
  },
  {
    id: 'channels',
    paths: ['/channels', '/channels/:id'],
    title: 'nav.channels',
    icon: 'channel',
    full: true,
    load: () => import('./pages/channels/channels-page.js'),
  },
  {
    id: 'runs',
    paths: ['/runs', '/runs/:agentId/:runId'],
    title: 'nav.runs',
    icon: 'run',
    load: () => import('./pages/runs/runs-page.js'),
  },
  {
    id: 'logs',
    paths: ['/logs'],
    title: 'nav.logs',
    icon: 'log',
    full: true,
    load: () => import('./pages/logs/logs-page.js'),
  },
  {
    id: 'plugins',
    paths: ['/plugins', '/plugins/:name', '/plugins/:name/:view'],
    title: 'nav.plugins',
    icon: 'plugin',
    load: () => import('./pages/plugins/plugins-page.js'),
  },
  {
    id: 'statistics',
    paths: ['/statistics'],
    title: 'nav.statistics',
    icon: 'numbers',
    load: () => import('./pages/statistics/statistics-page.js'),
  },
  {
    id: 'model',
    paths: ['/model'],
    title: 'nav.model',
    icon: 'spark',
    load: () => import('./pages/model/model-page.js'),
  },
  {
    id: 'keys',
    paths: ['/keys', '/keys/:view'],
    title: 'nav.keys',
    icon: 'key',
    load: () => import('./pages/keys/keys-page.js'),
  },
  {
    id: 'backup',
    paths: ['/backup'],
    title: 'nav.backups',
    icon: 'backup',
    load: () => import('./pages/backup/backup-page.js'),
  },
  {
    id: 'api',
    paths: ['/operations', '/operations/:operation'],
    title: 'nav.api',
    icon: 'api',
    full: true,
    load: () => import('./pages/api/api-page.js'),
  },
];
