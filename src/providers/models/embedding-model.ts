export interface EmbedOptions {
  readonly signal?: AbortSignal;
  /** Id of the caller, for fair scheduling in engines that process one batch at a time. Calls without it share one place. */
  readonly caller?: string;
  /** True for background work, which runs after interactive requests. */
  readonly background?: boolean;
  /** Reads long texts to their end. The caller limits their length. */
  readonly whole?: boolean;
}

/**
 * An embedding model. The dot product of two vectors is the similarity of their texts (1 = the same). Vectors of different models are not
 * comparable: store `modelId` with each vector.
 */
export abstract class EmbeddingModel {
  abstract readonly provider: string;
  abstract readonly modelId: string;

  /** The longest text that the model represents well, characters. `embed` splits a longer one. */
  readonly pieceLength: number = 200;

  /** Length of each vector; undefined before the first response of the service. */
  abstract get dimension(): number | undefined;

  /** Whether the next call runs without first starting an engine. */
  abstract get warm(): boolean;

  /** Whether the model knows the language of a text, so that its vector says what the text means. */
  readonly understands: (text: string) => boolean = () => true;

  /**
   * Returns one unit vector for each text, in the same order. A blank text gives a zero vector without a call (an empty vector while
   * `dimension` is unknown). A long text is split into chunks that fit the engine; their vectors are averaged, and chunks beyond the
   * engine's limit are ignored, unless `whole` is set.
   *
   * @throws AppError MODEL_UNAVAILABLE when the engine fails or cannot be reached, MODEL_REJECTED when the service rejects the request; the
   *   signal's reason when it is aborted
   */
  abstract embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;

  /** Stops the engine. Pending and further calls are rejected. */
  abstract close(): Promise<void>;
}
