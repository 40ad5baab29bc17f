import { Module, type OnModuleDestroy } from '@nestjs/common';
import { OutboundModule } from '../outbound/index.js';
import { AudioEncoder } from './audio-encoder.js';
import { SpeechRegistry } from './speech-registry.js';

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
