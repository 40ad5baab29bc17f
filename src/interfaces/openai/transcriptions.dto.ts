import { IsIn, IsOptional } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { Check, IsFilledText } from '../../core/http/index.js';
import { LONGEST_LANGUAGE, LONGEST_NAME } from '../../modules/audio/index.js';
import { IsNeutral } from './openai-checks.js';
import { srtOf, vttOf, type TimedText } from './subtitles.js';

const FORMATS = ['json', 'text', 'verbose_json', 'srt', 'vtt'] as const;

/** Form of `POST /v1/audio/transcriptions`. */
export class OpenAiTranscriptionForm {
  /** The recording. */
  file!: Uint8Array;

  /** The name or id of an agent, for its speech settings; or a name such as `whisper-1` or `gpt-4o-transcribe`, for the first running agent. */
  @IsFilledText(LONGEST_NAME)
  model!: string;

  /** Language of the speech, such as `en`. Defaults to the engine's language, or the language that it detects. */
  @IsOptional()
  @IsFilledText(LONGEST_LANGUAGE)
  language?: string;

  @IsOptional()
  @IsIn(FORMATS)
  response_format?: (typeof FORMATS)[number];

  /** Empty: the engines take no hint. */
  @IsOptional()
  @IsNeutral([''], 'the speech engines take no hint')
  prompt?: string;

  /** `0`: the engines do not vary. */
  @IsOptional()
  @IsNeutral(['0', '0.0'], 'the speech engines do not vary')
  temperature?: string;

  /** `false`: the transcript is complete when it is sent. */
  @IsOptional()
  @IsNeutral(['false', 'False'], 'the transcript is sent when it is complete')
  stream?: string;

  /** `segment` (the form has `timestamp_granularities[]`). */
  @IsOptional()
  @IsSegments()
  timestamp_granularities?: string[];
}

/** A segment of a recording. Clients require the fields behind `text`, of which the engines report nothing. */
export class OpenAiTranscriptSegmentView {
  /** Position in the transcript. */
  id!: number;
  /** Seconds from the start of the recording. */
  start!: number;
  end!: number;
  text!: string;
  /** Always 0. */
  seek!: number;
  /** Always empty. */
  tokens!: number[];
  /** Always 0. */
  temperature!: number;
  /** Always 0. */
  avg_logprob!: number;
  /** Always 1. */
  compression_ratio!: number;
  /** Always 0. */
  no_speech_prob!: number;
}

/** Transcript of a recording; all fields but `text` with `verbose_json` only. */
export class OpenAiTranscriptionView {
  /** Empty for a silent recording. */
  text!: string;
  task?: 'transcribe';
  /** BCP 47 tag; absent when neither the request nor the engine named a language. */
  language?: string;
  /** Seconds; absent when unknown. */
  duration?: number;
  /** Empty when the engine reports no times. */
  segments?: OpenAiTranscriptSegmentView[];
}

const UNREPORTED = { seek: 0, tokens: [], temperature: 0, avg_logprob: 0, compression_ratio: 1, no_speech_prob: 0 };

/** What an engine has recognised. */
export interface Recognised {
  readonly text: string;
  readonly segments: readonly TimedText[];
  readonly engine: string;
  readonly language?: string;
  readonly durationSeconds?: number;
}

/** A transcript as JSON, or as text with its media type. @throws AppError VALIDATION_ERROR for subtitles without times */
export function presentTranscription(
  recognised: Recognised,
  format: OpenAiTranscriptionForm['response_format'],
): OpenAiTranscriptionView | { readonly mediaType: string; readonly written: string } {
  const { text, segments, language, durationSeconds } = recognised;
  switch (format) {
    case 'text':
      return { mediaType: 'text/plain', written: `${text}\n` };
    case 'srt':
      return { mediaType: 'text/plain', written: srtOf(cuesOf(recognised)) };
    case 'vtt':
      return { mediaType: 'text/vtt', written: vttOf(cuesOf(recognised)) };
    case 'verbose_json':
      return {
        task: 'transcribe',
        ...(language === undefined ? {} : { language }),
        ...(durationSeconds === undefined ? {} : { duration: durationSeconds }),
        text,
        segments: segments.map(({ text: part, startSeconds, endSeconds }, id) => ({
          id,
          start: startSeconds,
          end: endSeconds,
          text: part,
          ...UNREPORTED,
        })),
      };
    default:
      return { text };
  }
}

function cuesOf({ text, segments, engine, durationSeconds }: Recognised): readonly TimedText[] {
  if (segments.length > 0 || text === '') return segments;
  if (durationSeconds !== undefined) return [{ text, startSeconds: 0, endSeconds: durationSeconds }];
  throw new AppError(
    'VALIDATION_ERROR',
    `response_format must be json, text or verbose_json: the speech engine ${engine} reports no times`,
    'Subtitles need the times of the text.',
  );
}

function IsSegments(): PropertyDecorator {
  return Check(
    'isSegments',
    { type: 'array', items: { enum: ['segment'] } },
    (value) => Array.isArray(value) && value.every((each) => each === 'segment'),
    () => '$property must be segment or left out: words have no times of their own',
  );
}
