export { exportRows, itemStep, readStep, rowStep, textStep } from './erasure-steps.js';
export { ForgetScopeRow } from './forget-scope.entity.js';
export { PERSONAL_DATA_EVENTS } from './personal-data.events.js';
export {
  addToScope,
  FORGOTTEN_USER_ID,
  inScope,
  textsAbout,
  type Erasure,
  type ErasureStep,
  type PersonalData,
  type PersonalRecord,
} from './personal-data.js';
