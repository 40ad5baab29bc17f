import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentsModule } from '../agents/index.js';
import { MemoryModule } from '../memory/index.js';
import { UsageModule } from '../usage/index.js';
import { ProfileJobRow } from './entities/profile-job.entity.js';
import { Extraction } from './extraction.js';
import { ExtractionRunner } from './extraction-runner.js';
import { Profiles1795824013000 } from './migrations/1795824013000-profiles.js';
import { ProfileJobsRepository } from './profile-jobs.repository.js';
import { ProfilesController } from './profiles.controller.js';
import { ProfilesPersonalData } from './profiles-personal-data.js';
import { ProfilesService } from './profiles.service.js';
import { PROFILES_SETTINGS } from './profiles.settings.js';

@Module({
  imports: [AgentsModule, MemoryModule, ModelsModule, UsageModule],
  controllers: [ProfilesController],
  providers: [Extraction, ExtractionRunner, ProfileJobsRepository, ProfilesPersonalData, ProfilesService],
  exports: [ProfilesService],
})
export class ProfilesModule {}

export const descriptor = defineModule({
  name: 'profiles',
  about: 'Facts about users, extracted from what they tell agents.',
  module: ProfilesModule,
  entities: [ProfileJobRow],
  migrations: [Profiles1795824013000],
  settings: PROFILES_SETTINGS,
  hooks: { personalData: [ProfilesPersonalData], queueOwners: [ProfileJobsRepository] },
});
