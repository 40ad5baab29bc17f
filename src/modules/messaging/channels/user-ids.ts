import { Injectable } from '@nestjs/common';
import { InstallationIds, isUuid } from '../../../core/ids/index.js';

/** Maps user names that callers choose to user ids. Such an id is never an agent's id. */
@Injectable()
export class UserIds {
  constructor(private readonly ids: InstallationIds) {}

  /** The id of a user that a caller names; a UUID is returned as it is, in lower case. */
  fromName(name: string): string {
    return isUuid(name) ? name.toLowerCase() : this.ids.of('user', [name]);
  }

  /** The id of another platform's user; a UUID is returned as it is, in lower case. */
  fromPlatform(platform: string, id: string): string {
    return isUuid(id) ? id.toLowerCase() : this.ids.of('user of a platform', [platform, id]);
  }
}
