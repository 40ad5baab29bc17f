export { defineModule, schemaOf } from './define-module.js';
