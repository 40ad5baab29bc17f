import { SetMetadata } from '@nestjs/common';
import type { ErrorCode } from '../errors/index.js';

export const API_ERRORS = 'parley:refuses';

/** Declares the error codes of an operation in addition to those of every operation, for the OpenAPI document. */
export const ApiErrors = (...codes: ErrorCode[]): MethodDecorator & ClassDecorator => SetMetadata(API_ERRORS, codes);
