export { AppError, errorBody, statusOfCode, type ErrorBody } from './app-error.js';
export { ERROR_CODES, type ErrorCode } from './error-codes.js';
