/** First part of a file's address: what it was uploaded to, or that an agent made it. */
export type MediaArea = 'agents' | 'channels' | 'generated';

/** A file that is kept. */
export interface MediaFile {
  readonly id: string;
  /** SHA-256 of the content, hexadecimal. */
  readonly hash: string;
  readonly area: MediaArea;
  /** The agent or channel that it belongs to, and goes with. */
  readonly ownerId: string;
  /** Last part of its address. */
  readonly name: string;
  /** As its sender called it. */
  readonly originalName: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** Epoch ms. */
  readonly createdAt: number;
}
