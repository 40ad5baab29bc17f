export type { FaultEvidence, Invariant } from './evidence.js';
export { faultName, faultsFolder, faultTime, listFaults, readFault, storeFault, storeFaultNow, type FaultKind } from './fault-files.js';
