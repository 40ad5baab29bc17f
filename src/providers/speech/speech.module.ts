import { Module, type OnModuleDestroy } from '@nestjs/common';
import { OutboundModule } from '../outbound/index.js';
import { AudioEncoder } from './audio-encoder.js';
import { SpeechRegistry } from './speech-registry.js';
import { defineModule } from '../../core/modules/index.js';
import { SPEECH_SETTINGS } from './speech.settings.js';
import { SPEECH_ERRORS } from './speech.error-codes.js';

@Module({ imports: [OutboundModule], providers: [SpeechRegistry, AudioEncoder], exports: [SpeechRegistry, AudioEncoder] })
export class SpeechModule implements OnModuleDestroy {
  constructor(
    private readonly speech: SpeechRegistry,
    private readonly encoder: AudioEncoder,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.speech.close(), this.encoder.close()]);
  }
}

export const descriptor = defineModule({
  name: 'speech',
  about: 'Speech synthesis and recognition.',
  module: SpeechModule,
  settings: SPEECH_SETTINGS,
  errors: SPEECH_ERRORS,
});
