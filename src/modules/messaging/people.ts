import { Injectable } from '@nestjs/common';
import { idFromText, InstallationIds, isUuid } from '../../core/ids/index.js';
import { AgentsService } from '../agents/index.js';
import { PeopleRepository } from './repositories/people.repository.js';

/** Ids of users whom a caller names by text of its own. Such an id is never an agent's, whatever the text. */
@Injectable()
export class People {
  constructor(
    private readonly ids: InstallationIds,
    private readonly repository: PeopleRepository,
    private readonly agents: AgentsService,
  ) {}

  /** The user that a caller names by text; a UUID is a user's id already. */
  named(name: string): Promise<string> {
    return this.idOf(name, 'user', [name], idFromText(name));
  }

  /** A user of another platform, by the id there; a UUID is a user's id already. */
  onPlatform(platform: string, id: string): Promise<string> {
    return this.idOf(id, 'user of a platform', [platform, id], idFromText(`${platform}:user:${id}`));
  }

  /** @param former the id that versions before the installation key gave: who wrote under it then keeps it */
  private async idOf(given: string, purpose: string, parts: readonly string[], former: string): Promise<string> {
    if (isUuid(given)) return given.toLowerCase();
    const isKept = this.agents.find(former) === undefined && (await this.repository.isUserBefore(former, this.ids.madeAt));
    return isKept ? former : this.ids.of(purpose, parts);
  }
}
