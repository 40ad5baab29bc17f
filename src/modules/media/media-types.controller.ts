import { Controller, Get, Inject } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AllowScopedTokens } from '../../core/http/index.js';
import { HeicConverter } from './heic-converter.js';
import type { MediaTypesView } from './media.dto.js';
import { acceptedTypes } from './media-types.js';

/** What uploads may be. */
@Controller('api/media')
export class MediaTypesController {
  constructor(
    private readonly heic: HeicConverter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns what an upload may be.
   *
   * @remarks HEIC pictures are accepted when the server can convert them to JPEG.
   */
  @Get('types')
  @AllowScopedTokens()
  async types(): Promise<MediaTypesView> {
    return { ...acceptedTypes(await this.heic.isAvailable()), maxBytes: this.config.uploadLimitBytes };
  }
}
