import { Global, Module } from '@nestjs/common';
import { LeadershipModule } from '../leadership/index.js';
import { Retention } from './retention.js';

@Global()
@Module({ imports: [LeadershipModule], providers: [Retention], exports: [Retention] })
export class RetentionModule {}
