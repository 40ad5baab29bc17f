import { Injectable } from '@nestjs/common';
import { rowStep, type ErasureStep, type PersonalData } from '../../core/personal-data/index.js';
import { userWroteAfter } from '../messaging/index.js';

/** Jobs that read what users told agents. The facts are memories. */
@Injectable()
export class ProfilesPersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[] = [
    // After the messages, whose turns note jobs. A running job loses its row, and cannot store what it has read.
    rowStep(
      { kind: 'profile jobs', effect: 'deleted', order: 39 },
      { table: 'profile_jobs', key: ['agent_id', 'channel_id', 'user_id'] },
      'DELETE FROM profile_jobs',
      `user_id = ? AND (noted_at <= ? OR NOT ${userWroteAfter('profile_jobs')})`,
      ({ userId, at, upTo }) => [userId, at, upTo],
    ),
  ];
}
