import { Module } from '@nestjs/common';
import { SpeechModule } from '../../providers/speech/index.js';
import { AgentsModule } from '../agents/index.js';
import { MessagingModule } from '../messaging/index.js';
import { ConversationController } from './conversation.controller.js';
import { ConversationService } from './conversation.service.js';
import { ReachableChannels } from './reachable-channels.js';
import { RecordingMemory } from './recording-memory.js';
import { RecordingUploads } from './recording-uploads.js';
import { SpeakingPlaces } from './speaking-places.js';
import { SpeechController } from './speech.controller.js';
import { SpeechService } from './speech.service.js';
import { SpokenAnswers } from './spoken-answers.js';
import { TranscriptionsController } from './transcriptions.controller.js';
import { TranscriptionsService } from './transcriptions.service.js';
import { VoiceCalls } from './voice-calls.js';

@Module({
  imports: [AgentsModule, MessagingModule, SpeechModule],
  controllers: [SpeechController, TranscriptionsController, ConversationController],
  providers: [
    SpeechService,
    TranscriptionsService,
    ConversationService,
    SpokenAnswers,
    RecordingMemory,
    RecordingUploads,
    ReachableChannels,
    SpeakingPlaces,
    VoiceCalls,
  ],
  exports: [VoiceCalls],
})
export class AudioModule {}
