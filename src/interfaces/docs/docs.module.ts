import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { DocsController } from './docs.controller.js';

/** The documents of the package as pages, for readers without a network and for links in replies. */
@Module({ controllers: [DocsController] })
export class DocsModule {}

export const descriptor = defineModule({
  name: 'docs',
  about: 'The documentation at /docs.',
  module: DocsModule,
});
