import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiErrors, Scope } from '../../core/http/index.js';
import { ModelTrialView, presentServerModel, presentTrial, ServerModelBody, ServerModelView, toServerModel } from './server-model.dto.js';
import { ServerModelService } from './server-model.service.js';

@Controller('api/server/model')
@Scope('admin')
export class ServerModelController {
  constructor(private readonly models: ServerModelService) {}

  /** The language model of the server, and what has chosen it. */
  @Get()
  async read(): Promise<ServerModelView> {
    return presentServerModel(await this.models.state());
  }

  /**
   * Chooses the language model of the server, for all agents that name none of their own. It applies to the next message.
   *
   * @remarks Refused with CONFLICT while variables of the environment choose the model. An address of this machine or of a private network
   *   is refused unless the server listens on loopback (for addresses of this machine) or OUTBOUND_ALLOWED_NETWORKS allows it.
   */
  @Put()
  @ApiErrors('VALIDATION_ERROR', 'CONFLICT')
  async choose(@Body() body: ServerModelBody): Promise<ServerModelView> {
    return presentServerModel(await this.models.choose(toServerModel(body)));
  }

  /** Takes the choice back: the offline responder replies, unless variables of the environment choose a model. */
  @Delete()
  async remove(): Promise<ServerModelView> {
    return presentServerModel(await this.models.remove());
  }

  /** Calls a model once with a short message, and says how it ended. Nothing is stored. */
  @Post('trial')
  @HttpCode(200)
  @ApiErrors('VALIDATION_ERROR')
  async try(@Body() body: ServerModelBody): Promise<ModelTrialView> {
    return presentTrial(await this.models.try(toServerModel(body)));
  }
}
