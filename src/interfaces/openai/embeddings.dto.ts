import { IsIn, IsInt, IsOptional, IsString, Min } from 'class-validator';
import { Check, IsFilledText, MaxCharacters } from '../../core/http/index.js';
import { hasAtMost } from '../../core/text/index.js';

const LONGEST_NAME = 255;
const MAX_TEXTS = 2048;
/** The built-in encoder reads some 5,000 characters in a second. */
const MAX_TEXT_LENGTH = 32_000;
const MAX_TOTAL_LENGTH = 500_000;

/** Body of `POST /v1/embeddings`. */
export class OpenAiEmbeddingsBody {
  /** A text, or a list of texts. Token ids are not accepted. */
  @IsTexts()
  input!: string | string[];

  /** The id of the server's embedding model, or the name or id of an agent. The vectors are those of the server's model in any case. */
  @IsFilledText(LONGEST_NAME)
  model!: string;

  /** `base64`: the vector as little-endian 32-bit floats. */
  @IsOptional()
  @IsIn(['float', 'base64'])
  encoding_format?: 'float' | 'base64' | null;

  /** The length of the model's vectors; no other is possible. */
  @IsOptional()
  @IsInt()
  @Min(1)
  dimensions?: number | null;

  /** Accepted for compatibility; nothing is stored. */
  @IsOptional()
  @IsString()
  @MaxCharacters(LONGEST_NAME)
  user?: string | null;
}

/** The vector of a text. */
export class OpenAiEmbeddingView {
  object!: 'embedding';
  /** Position of the text in `input`. */
  index!: number;
  /** The vector, or its bytes in base64. */
  embedding!: number[] | string;
}

/** Estimated tokens of the texts. */
export class OpenAiEmbeddingsUsageView {
  prompt_tokens!: number;
  total_tokens!: number;
}

/** The vectors of the texts, in their order. */
export class OpenAiEmbeddingsView {
  object!: 'list';
  data!: OpenAiEmbeddingView[];
  /** Id of the server's embedding model. */
  model!: string;
  usage!: OpenAiEmbeddingsUsageView;
}

export function presentEmbedding(vector: Float32Array, index: number, format: 'float' | 'base64'): OpenAiEmbeddingView {
  const embedding = format === 'float' ? Array.from(vector) : base64Of(vector);
  return { object: 'embedding', index, embedding };
}

function base64Of(vector: Float32Array): string {
  const bytes = new DataView(new ArrayBuffer(4 * vector.length));
  for (const [index, value] of vector.entries()) bytes.setFloat32(4 * index, value, true);
  return Buffer.from(bytes.buffer).toString('base64');
}

/** A text or a list of texts, within the limits. */
function IsTexts(): PropertyDecorator {
  const text = { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH };
  return Check(
    'isTexts',
    { anyOf: [text, { type: 'array', items: text, minItems: 1, maxItems: MAX_TEXTS }] },
    (value) => faultOfTexts(value) === undefined,
    ({ value }) => `$property ${faultOfTexts(value) ?? ''}`,
  );
}

function faultOfTexts(value: unknown): string | undefined {
  if (typeof value === 'string') return faultOfText(value);
  if (!Array.isArray(value)) return 'must be a text or a list of texts';
  const texts = value as unknown[];
  if (texts.some((text) => typeof text === 'number' || Array.isArray(text))) {
    return 'must hold texts, not token ids: the model of this server has tokens of its own';
  }
  if (texts.length === 0 || texts.length > MAX_TEXTS) return `must hold 1 to ${MAX_TEXTS} texts`;
  const faults = texts.map((text) => (typeof text === 'string' ? faultOfText(text) : 'must hold texts'));
  const first = faults.find((fault) => fault !== undefined);
  if (first !== undefined) return `${first} (text ${faults.indexOf(first)})`;
  if ((texts as string[]).reduce((sum, text) => sum + text.length, 0) <= MAX_TOTAL_LENGTH) return undefined;
  return `must hold at most ${MAX_TOTAL_LENGTH} characters in all`;
}

function faultOfText(text: string): string | undefined {
  if (text.trim() === '') return 'must hold texts that are not only white space';
  if (text.includes('\0')) return 'must not contain the character NUL';
  return hasAtMost(text, MAX_TEXT_LENGTH) ? undefined : `must hold texts of at most ${MAX_TEXT_LENGTH} characters`;
}
