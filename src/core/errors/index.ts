export { AppError, errorBody, statusOfCode, type ErrorBody } from './app-error.js';
export { coreErrors, errorDefinition, errorDefinitions, registerErrors, type ErrorCode, type ErrorDefinitions } from './error-codes.js';
export { errorMessage } from './error-message.js';
