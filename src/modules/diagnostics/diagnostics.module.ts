import { Module } from '@nestjs/common';
import { LeadershipModule } from '../../core/leadership/index.js';
import { defineModule } from '../../core/modules/index.js';
import { DIAGNOSTICS_METRICS } from './diagnostics.metrics.js';
import { DIAGNOSTICS_SETTINGS } from './diagnostics.settings.js';
import { FaultProblems } from './fault-problems.js';
import { FaultRecorder } from './fault-recorder.js';
import { InvariantChecks } from './invariant-checks.js';
import { MemoryWatch } from './memory-watch.js';
import { StallWatch } from './stall-watch.js';

@Module({
  imports: [LeadershipModule],
  providers: [FaultRecorder, StallWatch, MemoryWatch, InvariantChecks, FaultProblems],
  exports: [FaultRecorder],
})
export class DiagnosticsModule {}

export const descriptor = defineModule({
  name: 'diagnostics',
  about: 'Records of faults: errors of the server, stalls of the event loop, memory over a mark, violated invariants.',
  module: DiagnosticsModule,
  settings: DIAGNOSTICS_SETTINGS,
  metrics: DIAGNOSTICS_METRICS,
  hooks: { problemSources: [FaultProblems] },
});
