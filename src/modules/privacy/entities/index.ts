import { ForgetRequestRow } from './forget-request.entity.js';
import { ForgetScopeRow } from './forget-scope.entity.js';

export { ForgetRequestRow, type ErasedKind } from './forget-request.entity.js';
export const PRIVACY_ENTITIES = [ForgetRequestRow, ForgetScopeRow];
