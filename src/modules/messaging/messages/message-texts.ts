import { Injectable } from '@nestjs/common';
import { indexedWords, type IndexedTexts } from '../../../core/search/index.js';

/** The texts of messages, for searches. */
@Injectable()
export class MessageTexts implements IndexedTexts {
  readonly table = 'messages';
  readonly key = 'pos';
  readonly column = 'content';
  readonly wordsOf = indexedWords;
}
