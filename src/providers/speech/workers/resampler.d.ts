/** See resampler.js. */
export class Resampler {
  constructor(from: number, to: number);
  push(input: Float32Array): Float32Array;
  flush(): Float32Array;
}
