import { Injectable } from '@nestjs/common';
import type { IndexedTexts } from '../../core/search/index.js';
import { asObject, wordsOfMemory } from './memory-json.js';

/** The texts of memories, for recall. */
@Injectable()
export class MemoryTexts implements IndexedTexts {
  readonly table = 'memories';
  readonly key = 'id';
  readonly column = 'content';
  readonly wordsOf = (content: string): string | null => wordsOfMemory(asObject(JSON.parse(content)));
}
