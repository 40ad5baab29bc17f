// Loaded on first use. A static import: the bundle gives a dynamic one no names of a CommonJS package.
export { Agent, fetch, request } from 'undici';
