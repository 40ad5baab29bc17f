export interface EmbedOptions {
  readonly signal?: AbortSignal;
  /** Whose work this is. An engine that does one thing at a time lets callers take turns; calls without a caller are one caller. */
  readonly caller?: string;
  /** True for background work: it comes behind all questions. */
  readonly background?: boolean;
}

/**
 * Something that turns texts into vectors whose dot product says how near their meanings are (1 = the same).
 * Vectors of different models do not mix: keep `modelId` with each vector that is stored.
 */
export abstract class EmbeddingModel {
  abstract readonly provider: string;
  abstract readonly modelId: string;

  /** Length of each vector; `undefined` as long as the service has not been asked for the first time. */
  abstract get dimension(): number | undefined;

  /** Whether the next call is answered without first starting an engine. */
  abstract get warm(): boolean;

  /**
   * One vector for each text, in the same order. Vectors have length 1; an empty or blank text gives a zero
   * vector and asks nobody (with no elements as long as `dimension` is not known). A long text is cut into pieces
   * that the engine sees as a whole; so many of them as the engine allows are embedded and averaged, and the rest is left out.
   *
   * @throws AppError MODEL_UNAVAILABLE when the engine fails or cannot be reached, MODEL_REJECTED when the
   *   service refuses; the signal's reason when it is aborted
   */
  abstract embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;

  /** Ends what runs in the background. Calls that are under way are rejected; further ones too. */
  abstract close(): Promise<void>;
}
