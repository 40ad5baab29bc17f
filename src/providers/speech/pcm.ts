/** Sound as the engines make it and take it: one channel of signed 16 bit samples. */
export interface Pcm {
  readonly samples: Int16Array;
  /** Samples per second. */
  readonly sampleRate: number;
}

export function secondsOf({ samples, sampleRate }: Pcm): number {
  return samples.length / sampleRate;
}
