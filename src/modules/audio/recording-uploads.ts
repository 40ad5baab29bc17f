import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { isMultipart, readMultipart, UNREAD_BODY, type HttpRequest, type HttpResponse, type MultipartBody } from '../../core/http/index.js';
import { RecordingMemory, recordingTooLarge } from './recording-memory.js';

const FIELD = 'file';
const MOST_FILES = 10;
const MOST_FIELDS = 50;
const LARGEST_FIELD_BYTES = 100_000;
// Everything in a multipart body but the recording.
const FRAME_BYTES = 1024 * 1024;

export interface RecordingUpload {
  /** The file as it was sent, whatever it was called or declared to be. */
  readonly audio: Uint8Array;
  /** The other fields of the form, as they came. */
  readonly fields: Record<string, unknown>;
}

/** Recordings that come in as multipart bodies. They stay in memory: nothing is left behind, whatever happens. */
@Injectable()
export class RecordingUploads {
  constructor(
    private readonly memory: RecordingMemory,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Reads the upload and lets it be used; its memory is given back after that.
   *
   * @throws AppError UNSUPPORTED_MEDIA_TYPE for a body that is not multipart, VALIDATION_ERROR unless there is exactly one
   *   file and it is not empty, FILE_TOO_LARGE, AUDIO_BUSY, and what `use` throws
   */
  async receive<T>(request: HttpRequest, response: HttpResponse, use: (upload: RecordingUpload) => Promise<T>): Promise<T> {
    this.refuseOther(request);
    const held = this.memory.open();
    try {
      return await use(
        uploadOf(
          await readMultipart(request, response, {
            maxBytes: this.config.audioMaxBytes,
            maxFiles: MOST_FILES,
            maxFields: MOST_FIELDS,
            maxFieldBytes: LARGEST_FIELD_BYTES,
            tooLarge: recordingTooLarge,
            keep: (bytes) => held.keep(bytes),
          }),
        ),
      );
    } finally {
      held.release();
    }
  }

  private refuseOther(request: HttpRequest): void {
    if (request.body !== undefined && (request.body !== UNREAD_BODY || !isMultipart(request))) {
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
      `The upload has ${files.length}; send one recording at a time.`,
    );
  }
  if (!file) {
    if (typeof fields[FIELD] === 'string') {
      throw new AppError(
        'VALIDATION_ERROR',
        'file must be a file, not text',
        'Give the part a filename; a base64 text or a data URL has to be turned into bytes first.',
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
