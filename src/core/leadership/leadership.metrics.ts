import { meter } from '../telemetry/index.js';

export const LEADERSHIP_METRICS = {
  leads: meter.observed({
    name: 'leader',
    kind: 'gauge',
    about: '1 for the process that does the background work, such as retention; 0 for the others.',
  }),
};
