export { IsNeutral } from '../../modules/protocols/index.js';
