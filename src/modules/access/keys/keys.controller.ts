import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiErrors, Scope, UuidPipe } from '../../../core/http/index.js';
import { CreatedId } from '../../../core/idempotency/index.js';
import { CreateKeyBody, presentKey, toCreateKey, type CreatedKeyView, type KeysView, type KeyView } from './keys.dto.js';
import { KeysService } from './keys.service.js';

@Controller('api/keys')
@Scope('admin')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  /** Creates an API key. Only this response contains its text. */
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

  /** Revokes an API key, immediately and permanently. */
  @Delete(':keyId')
  @ApiErrors('KEY_NOT_FOUND')
  async revoke(@Param('keyId', UuidPipe) keyId: string): Promise<KeyView> {
    return presentKey(await this.keys.revoke(keyId));
  }
}
