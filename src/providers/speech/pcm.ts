/** Mono signed 16-bit samples. */
export interface Pcm {
  readonly samples: Int16Array;
  /** Hz. */
  readonly sampleRate: number;
}

export function secondsOf({ samples, sampleRate }: Pcm): number {
  return samples.length / sampleRate;
}
