export { exportRows, itemStep, readStep, rowStep, textStep } from './erasure-steps.js';
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
