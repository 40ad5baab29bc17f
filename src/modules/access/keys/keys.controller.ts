import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { Refuses, Scope, UuidPipe } from '../../../core/http/index.js';
import { CreatedId } from '../../../core/idempotency/index.js';
import { CreateKeyBody, presentKey, toCreateKey, type CreatedKeyView, type KeysView, type KeyView } from './keys.dto.js';
import { KeysService } from './keys.service.js';

@Controller('api/keys')
@Scope('admin')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  /** Makes an API key. Its text is in this answer and nowhere else. */
  @Post()
  async create(@Body() body: CreateKeyBody, @CreatedId() id?: string): Promise<CreatedKeyView> {
    const { key, token } = await this.keys.create({ ...toCreateKey(body), id });
    return { key: presentKey(key), token };
  }

  /** Lists the API keys, newest first, without their texts. */
  @Get()
  async list(): Promise<KeysView> {
    return { keys: (await this.keys.list()).map(presentKey) };
  }

  /** Revokes an API key, at once and for good. */
  @Delete(':keyId')
  @Refuses('KEY_NOT_FOUND')
  async revoke(@Param('keyId', UuidPipe) keyId: string): Promise<KeyView> {
    return presentKey(await this.keys.revoke(keyId));
  }
}
