export { ReadyLists, type ListItem } from './ready-lists.js';
export type { ReadyList } from './ready-list.js';
