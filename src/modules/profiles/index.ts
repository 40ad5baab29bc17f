export { descriptor, ProfilesModule } from './profiles.module.js';
export { ProfilesService, type PromptProfile } from './profiles.service.js';
