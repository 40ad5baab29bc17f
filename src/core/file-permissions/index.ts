export { restrictPermissions, restrictUmask } from './file-permissions.js';
