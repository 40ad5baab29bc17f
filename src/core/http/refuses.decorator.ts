import { SetMetadata } from '@nestjs/common';
import type { ErrorCode } from '../errors/index.js';

export const REFUSES = 'parley:refuses';

/** Lists the error codes that an operation answers beside those every operation may answer; the OpenAPI document shows them. */
export const Refuses = (...codes: ErrorCode[]): MethodDecorator & ClassDecorator => SetMetadata(REFUSES, codes);
