import { elapsed } from '../../crash/support/load-generator.js';

const LONGEST_WAIT_MS = 15_000;
const LOOK_MS = 50;

interface Turn {
  readonly message_id: string;
  readonly agent_id: string;
  readonly status: string;
  readonly attempts: number;
}

/** How long the turns of a killed server wait until they begin again. */
export class Takeovers {
  count = 0;
  longestMs = 0;

  /** @param ask sends a query to the database of the servers */
  constructor(private readonly ask: (sql: string) => Promise<Record<string, unknown>[]>) {}

  /** Call it when a server has been killed. Resolves when each turn that runs then, on any server, has ended or begun again. */
  async watch(): Promise<void> {
    const killedAt = performance.now();
    let open = await this.turns(`status = 'running'`);
    while (open.length > 0 && performance.now() - killedAt < LONGEST_WAIT_MS) {
      await elapsed(LOOK_MS);
      const ids = open.map(({ message_id: id }) => `'${id}'`).join(', ');
      const now = new Map((await this.turns(`message_id IN (${ids})`)).map((turn) => [keyOf(turn), turn]));
      open = open.filter((turn) => {
        const { status, attempts } = now.get(keyOf(turn)) ?? turn;
        if (attempts === turn.attempts) return status === 'running';
        this.count += 1;
        this.longestMs = Math.max(this.longestMs, Math.round(performance.now() - killedAt));
        return false;
      });
    }
    if (open.length > 0) this.longestMs = Math.max(this.longestMs, LONGEST_WAIT_MS);
  }

  private async turns(where: string): Promise<Turn[]> {
    const rows = await this.ask(`SELECT message_id, agent_id, status, attempts FROM turns WHERE ${where}`);
    return rows as unknown as Turn[];
  }
}

const keyOf = ({ message_id: messageId, agent_id: agentId }: Turn): string => `${messageId} ${agentId}`;
