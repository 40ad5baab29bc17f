import { Global, Module } from '@nestjs/common';
import { Retention } from './retention.js';

@Global()
@Module({ providers: [Retention], exports: [Retention] })
export class RetentionModule {}
