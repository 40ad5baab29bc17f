export { addressOf, documentAt, DOCUMENTS_ROOT, headingId, linkAddress, withAddresses } from './documents.js';
