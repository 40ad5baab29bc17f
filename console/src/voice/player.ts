// Plays pieces of speech one after another.

class Player {
  private context: AudioContext | undefined;
  private readonly sources = new Set<AudioBufferSourceNode>();
  private end = 0;

  /** Plays a sound file behind what is playing. Settles when it has ended or was stopped. */
  async play(file: ArrayBuffer): Promise<void> {
    this.context ??= new AudioContext();
    const { context } = this;
    await context.resume();
    const buffer = await context.decodeAudioData(file);
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(context.destination);
    const start = Math.max(context.currentTime, this.end);
    this.end = start + buffer.duration;
    this.sources.add(source);
    await new Promise<void>((resolve) => {
      source.addEventListener('ended', () => resolve(), { once: true });
      source.start(start);
    });
    this.sources.delete(source);
  }

  /** Silences everything at once. */
  stop(): void {
    this.end = 0;
    for (const source of this.sources) source.stop();
  }
}

export const player = new Player();
