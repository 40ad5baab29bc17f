export type { FaultEvidence, Invariant } from './evidence.js';
export { faultName, faultsFolder, listFaults, readFault, storeFault, storeFaultNow, type FaultKind } from './fault-files.js';
