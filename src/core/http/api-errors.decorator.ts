import { SetMetadata } from '@nestjs/common';
import type { ErrorCode } from '../errors/index.js';
import type { HookKinds } from '../hooks/index.js';

export const API_ERRORS = 'parley:refuses';
export const API_ERRORS_OF_HOOKS = 'parley:refuses-as-hooks';

/** Declares the error codes of an operation in addition to those of every operation, for the OpenAPI document. */
export const ApiErrors = (...codes: ErrorCode[]): MethodDecorator & ClassDecorator => SetMetadata(API_ERRORS, codes);

/** Declares that an operation also refuses what the hooks of a kind refuse: the `ApiErrors` of their classes. */
export const ApiErrorsOfHooks = (kind: keyof HookKinds): MethodDecorator => SetMetadata(API_ERRORS_OF_HOOKS, kind);
