import { meter } from '../../core/telemetry/index.js';
import { PROTOCOLS } from './protocol.js';

const LABEL = { protocol: PROTOCOLS };

export const PROTOCOL_METRICS = {
  requests: meter.counter({
    name: 'protocols.requests',
    exportedAs: 'protocol.requests',
    about:
      'Accepted requests for a reply, by what became of their conversation. `continued`: it was recognised; `branched`: it was known, but had gone on otherwise; `resumed`: it had results of tools; `repeated`: an earlier request was the same.',
    labels: { ...LABEL, conversation: ['new', 'named', 'continued', 'branched', 'resumed', 'repeated'] },
  }),
  responses: meter.counter({
    name: 'protocols.responses',
    exportedAs: 'protocol.responses',
    about:
      'Responses by how they ended. `tool_calls`: the reply waits for results; `disconnected`: the client left, and the reply goes on.',
    labels: { ...LABEL, outcome: ['completed', 'tool_calls', 'failed', 'disconnected'] },
  }),
};
