import { ForgetScopeRow } from '../../../core/personal-data/index.js';
import { ForgetRequestRow } from './forget-request.entity.js';

export { ForgetRequestRow, type ErasedKind } from './forget-request.entity.js';
export const PRIVACY_ENTITIES = [ForgetRequestRow, ForgetScopeRow];
