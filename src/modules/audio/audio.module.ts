import { Module } from '@nestjs/common';
import { SpeechModule } from '../../providers/speech/index.js';
import { AgentsModule } from '../agents/index.js';
import { MessagingModule } from '../messaging/index.js';
import { ConversationController } from './conversation.controller.js';
import { ConversationService } from './conversation.service.js';
import { ChannelReach } from './channel-reach.js';
import { RecordingMemory } from './recording-memory.js';
import { RecordingUploads } from './recording-uploads.js';
import { SpeakerResolver } from './speaker-resolver.js';
import { SpeechController } from './speech.controller.js';
import { SpeechService } from './speech.service.js';
import { SpokenReplies } from './spoken-replies.js';
import { TranscriptionsController } from './transcriptions.controller.js';
import { TranscriptionsService } from './transcriptions.service.js';
import { VoiceCalls } from './voice-calls.js';
import { defineModule } from '../../core/modules/index.js';
import { AUDIO_METRICS } from './audio.metrics.js';
import { AUDIO_SETTINGS } from './audio.settings.js';

@Module({
  imports: [AgentsModule, MessagingModule, SpeechModule],
  controllers: [SpeechController, TranscriptionsController, ConversationController],
  providers: [
    SpeechService,
    TranscriptionsService,
    ConversationService,
    SpokenReplies,
    RecordingMemory,
    RecordingUploads,
    ChannelReach,
    SpeakerResolver,
    VoiceCalls,
  ],
  exports: [RecordingUploads, SpeechService, TranscriptionsService, VoiceCalls],
})
export class AudioModule {}

export const descriptor = defineModule({
  name: 'audio',
  about: "Speech in an agent's voice, transcription and conversation by voice.",
  module: AudioModule,
  settings: AUDIO_SETTINGS,
  metrics: AUDIO_METRICS,
  tags: [{ name: 'audio', about: 'Speech synthesis and transcription.', paths: [/^\/api\/audio\//] }],
});
