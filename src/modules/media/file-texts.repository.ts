import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type ColumnsOf, type Statement } from '../../core/database/index.js';
import type { Piece } from '../knowledge/index.js';
import { FileReadingRow } from './entities/file-reading.entity.js';
import { FileTextRow } from './entities/file-text.entity.js';

const READINGS = tableOf(FileReadingRow);
const TEXTS = tableOf(FileTextRow);

type Reading = ColumnsOf<FileReadingRow>;

/** The texts of files, as they were read. */
@Injectable()
export class FileTextsRepository {
  constructor(private readonly reader: Reader) {}

  /** Keeps what a file says, unless another process has kept it. The same bytes have the same text. */
  insert(reading: Reading, slices: readonly (readonly Piece[])[]): Statement[] {
    const { mediaId } = reading;
    return [
      READINGS.insert(reading, 'ON CONFLICT (media_id) DO NOTHING'),
      ...slices.map((pieces, position) => TEXTS.insert({ mediaId, position, pieces }, 'ON CONFLICT (media_id, position) DO NOTHING')),
    ];
  }

  async reading(mediaId: string): Promise<Reading | undefined> {
    const [row] = await this.reader.rows(`SELECT ${READINGS.columns} FROM file_readings WHERE media_id = ?`, [mediaId]);
    return row && READINGS.read(row);
  }

  /** A slice of the text; undefined behind the last one. */
  async slice(mediaId: string, position: number): Promise<readonly Piece[] | undefined> {
    const [row] = await this.reader.rows(`SELECT ${TEXTS.columns} FROM file_texts WHERE media_id = ? AND position = ?`, [
      mediaId,
      position,
    ]);
    return row && TEXTS.read(row).pieces;
  }
}
