import { Module } from '@nestjs/common';
import { LeadershipModule } from '../leadership/index.js';
import { defineModule } from '../modules/index.js';
import { IndexedTextsBacklog } from './indexed-texts-backlog.js';
import { SearchBacklogRow } from './search-backlog.entity.js';
import { Search1796100001000 } from './migrations/1796100001000-search.js';

@Module({ imports: [LeadershipModule], providers: [IndexedTextsBacklog] })
export class SearchModule {}

export const descriptor = defineModule({
  name: 'search',
  about: 'Texts that earlier versions stored are indexed anew for searches.',
  module: SearchModule,
  entities: [SearchBacklogRow],
  migrations: [Search1796100001000],
});
