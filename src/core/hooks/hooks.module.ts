import { Global, Module } from '@nestjs/common';
import { Hooks } from './hook-kinds.js';

@Global()
@Module({ providers: [Hooks], exports: [Hooks] })
export class HooksModule {}
