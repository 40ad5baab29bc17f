import { Injectable } from '@nestjs/common';
import { idFromText, InstallationIds, isUuid } from '../../../core/ids/index.js';
import { AgentsService } from '../../agents/index.js';
import { UserIdsRepository } from './user-ids.repository.js';

/** Maps user names that callers choose to user ids. Such an id is never an agent's id. */
@Injectable()
export class UserIds {
  constructor(
    private readonly ids: InstallationIds,
    private readonly repository: UserIdsRepository,
    private readonly agents: AgentsService,
  ) {}

  /** The id of a user that a caller names; a UUID is returned as it is, in lower case. */
  fromName(name: string): Promise<string> {
    return this.resolve(name, 'user', [name], idFromText(name));
  }

  /** The id of another platform's user; a UUID is returned as it is, in lower case. */
  fromPlatform(platform: string, id: string): Promise<string> {
    return this.resolve(id, 'user of a platform', [platform, id], idFromText(`${platform}:user:${id}`));
  }

  /** @param legacyId the id that versions before the installation key derived; a user who wrote under it keeps it */
  private async resolve(given: string, purpose: string, parts: readonly string[], legacyId: string): Promise<string> {
    if (isUuid(given)) return given.toLowerCase();
    const isLegacyUser = this.agents.find(legacyId) === undefined && (await this.repository.existedBefore(legacyId, this.ids.createdAt));
    return isLegacyUser ? legacyId : this.ids.of(purpose, parts);
  }
}
