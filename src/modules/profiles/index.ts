export { descriptor, ProfilesModule } from './profiles.module.js';
export type { PromptProfile } from './profile-lines.js';
export { ProfilesService } from './profiles.service.js';
