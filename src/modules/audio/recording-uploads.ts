import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import {
  isMultipart,
  readMultipart,
  UNSUPPORTED_BODY,
  type HttpRequest,
  type HttpResponse,
  type MultipartBody,
} from '../../core/http/index.js';
import { RecordingMemory, recordingTooLarge } from './recording-memory.js';

const FIELD = 'file';
const MAX_FILES = 10;
const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 100_000;
// Allowance for the multipart framing and the other fields.
const FRAME_BYTES = 1024 * 1024;

export interface RecordingUpload {
  /** Content of the uploaded file. */
  readonly audio: Uint8Array;
  /** The other fields of the form, not validated. */
  readonly fields: Record<string, unknown>;
}

/** Reads recordings from multipart bodies. They stay in memory, so that no failure leaves files behind. */
@Injectable()
export class RecordingUploads {
  constructor(
    private readonly memory: RecordingMemory,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Reads the upload, calls `use` with it, and frees its memory afterwards.
   *
   * @throws AppError UNSUPPORTED_MEDIA_TYPE for a body that is not multipart, VALIDATION_ERROR unless the form has exactly one non-empty
   *   file, FILE_TOO_LARGE, AUDIO_BUSY, and what `use` throws
   */
  async receive<T>(request: HttpRequest, response: HttpResponse, use: (upload: RecordingUpload) => Promise<T>): Promise<T> {
    this.assertMultipart(request);
    const held = this.memory.reserve();
    try {
      return await use(
        uploadOf(
          await readMultipart(request, response, {
            maxBytes: this.config.audioMaxBytes,
            maxFiles: MAX_FILES,
            maxFields: MAX_FIELDS,
            maxFieldBytes: MAX_FIELD_BYTES,
            tooLarge: recordingTooLarge,
            reserve: (bytes) => held.add(bytes),
          }),
        ),
      );
    } finally {
      held.release();
    }
  }

  private assertMultipart(request: HttpRequest): void {
    if (request.body !== undefined && (request.body !== UNSUPPORTED_BODY || !isMultipart(request))) {
      throw new AppError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The request body must be multipart/form-data.',
        `Send the recording as a file in the field ${FIELD}.`,
      );
    }
    if (request.body === undefined) throw noFile();
    const { audioMaxBytes } = this.config;
    if (Number(request.headers['content-length'] ?? 0) > audioMaxBytes + FRAME_BYTES) throw recordingTooLarge(audioMaxBytes);
  }
}

function uploadOf({ files, fields }: MultipartBody): RecordingUpload {
  const [file, second] = files;
  if (second) {
    throw new AppError(
      'VALIDATION_ERROR',
      'file must be exactly one file',
      `The upload has ${files.length} files; send one recording at a time.`,
    );
  }
  if (!file) {
    if (typeof fields[FIELD] === 'string') {
      throw new AppError(
        'VALIDATION_ERROR',
        'file must be a file, not text',
        'Give the part a filename, and decode base64 text or a data URL to bytes first.',
      );
    }
    throw noFile();
  }
  if (file.fieldname !== FIELD) {
    throw new AppError('VALIDATION_ERROR', 'file is missing', `The upload has a file in the field "${file.fieldname}".`);
  }
  if (file.size === 0) throw new AppError('VALIDATION_ERROR', 'file must not be empty', 'The recording has no bytes.');
  return { audio: file.buffer, fields };
}

function noFile(): AppError {
  return new AppError('VALIDATION_ERROR', 'file is missing', `Send multipart/form-data with the recording in the field ${FIELD}.`);
}
