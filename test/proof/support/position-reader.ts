import { randomUUID } from 'node:crypto';
import { ApiClient } from '../../support/api-client.js';
import { elapsed } from '../../crash/support/load-generator.js';
import { expectStatus } from '../../crash/support/users.js';
import type { TestCluster } from '../../crash/support/test-cluster.js';

/** How long a server may wait for a position (docs/guides/clients.md). */
const MAX_WAIT_MS = 1000;

/** Changes channels and agents on one server, reads them on the next, and counts what is old or missing there. */
export class PositionReader {
  reads = 0;
  /** Reads that the server had to answer before it had caught up. */
  late = 0;
  readonly faults: string[] = [];

  constructor(private readonly cluster: TestCluster) {}

  async run(isOver: () => boolean): Promise<void> {
    const { cluster } = this;
    let [name, position] = ['', ''];
    const change = async (method: string, path: string, status: number): Promise<string> =>
      cluster.insist(async (url) => {
        name = randomUUID();
        const answer = await new ApiClient(() => url).send(method, path, { name });
        expectStatus(answer, status);
        position = answer.headers.get('x-parley-position') ?? '';
        return String(answer.body.data.id);
      });
    const channel = await change('POST', '/api/messaging/channels', 201);
    while (!isOver()) {
      await this.read(`/api/messaging/channels/${channel}/details`, name, position);
      await change('PATCH', `/api/messaging/channels/${channel}`, 200);
      await this.read(`/api/messaging/channels/${channel}/details`, name, position);
      await elapsed(30);
    }
  }

  private async read(path: string, name: string, position: string): Promise<void> {
    await this.cluster.insist(async (url) => {
      const begin = performance.now();
      const answer = await new ApiClient(() => url).get(path, { headers: { 'x-parley-position': position } });
      if (answer.status !== 404) expectStatus(answer, 200);
      this.reads += 1;
      if (answer.status === 200 && answer.body.data.name === name) return;
      if (performance.now() - begin >= MAX_WAIT_MS) this.late += 1;
      else this.faults.push(`${path} was ${answer.status} ${JSON.stringify(answer.body)} with position ${position} of "${name}"`);
    });
    this.cluster.acknowledge();
  }
}
