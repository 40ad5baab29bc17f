// Plays pieces of speech one after another.
import { signal } from '@preact/signals';

class Player {
  readonly playing = signal(false);
  private context: AudioContext | undefined;
  private readonly sources = new Set<AudioBufferSourceNode>();
  /** Pieces are decoded in their order. */
  private decoding: Promise<unknown> = Promise.resolve();
  private end = 0;
  /** Pieces of a round before are not played any more. */
  private round = 0;

  /** Plays a sound file behind what is playing. Settles when it has ended or was stopped. */
  async play(file: ArrayBuffer): Promise<void> {
    const { round } = this;
    const scheduled = this.decoding.then(() => this.schedule(file, round));
    // A piece that cannot be decoded does not keep back the next.
    this.decoding = scheduled.catch(() => undefined);
    const { ended } = await scheduled;
    await ended;
  }

  /** Silences everything at once. */
  stop(): void {
    this.round += 1;
    this.end = 0;
    for (const source of this.sources) source.stop();
  }

  private async schedule(file: ArrayBuffer, round: number): Promise<{ readonly ended?: Promise<void> }> {
    if (round !== this.round) return {};
    this.context ??= new AudioContext();
    const { context } = this;
    await context.resume();
    const buffer = await context.decodeAudioData(file);
    if (round !== this.round) return {};
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(context.destination);
    const start = Math.max(context.currentTime, this.end);
    this.end = start + buffer.duration;
    this.sources.add(source);
    this.playing.value = true;
    const ended = new Promise<void>((resolve) => {
      source.addEventListener('ended', () => resolve(), { once: true });
      source.start(start);
    }).then(() => {
      this.sources.delete(source);
      this.playing.value = this.sources.size > 0;
    });
    return { ended };
  }
}

export const player = new Player();
