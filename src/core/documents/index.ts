export {
  addressOf,
  documentAt,
  DOCUMENTS_ROOT,
  headingId,
  linkAddress,
  markdownAddressOf,
  markdownAt,
  withAddresses,
} from './documents.js';
