import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { DocsController } from './docs.controller.js';
import { LlmsController } from './llms.controller.js';

/** The documents of the package as pages, for readers without a network and for links in replies. */
@Module({ controllers: [DocsController, LlmsController] })
export class DocsModule {}

export const descriptor = defineModule({
  name: 'docs',
  about: 'The documentation at /docs and /llms.txt.',
  module: DocsModule,
});
