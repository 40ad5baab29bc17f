export { assertMetadataSize } from './assert-metadata-size.js';
