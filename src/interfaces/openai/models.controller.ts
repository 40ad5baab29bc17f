import { Controller, Get, Headers, Param } from '@nestjs/common';
import { AllowRestricted, ApiErrors, FromCaller, NoEnvelope, type Caller } from '../../core/http/index.js';
import { AgentModels, ForProtocol } from '../../modules/protocols/index.js';
import { OpenAiErrors } from './openai-errors.js';
import {
  presentAnthropicModel,
  presentAnthropicModels,
  presentModel,
  presentModels,
  type AnthropicModelsView,
  type AnthropicModelView,
  type OpenAiModelsView,
  type OpenAiModelView,
} from './models.dto.js';

/** The agents as models. Both protocols have this path; clients of Anthropic's send the header `anthropic-version`. */
@Controller('v1')
@ForProtocol('openai', 'anthropic')
@OpenAiErrors()
@NoEnvelope()
@AllowRestricted()
export class OpenAiModelsController {
  constructor(private readonly models: AgentModels) {}

  /** Lists the agents that the caller may access, as models. With the header `anthropic-version`, in Anthropic's form. */
  @Get('models')
  list(
    @FromCaller() caller: Caller,
    @Headers('anthropic-version') anthropicVersion: string | undefined,
  ): OpenAiModelsView | AnthropicModelsView {
    const models = this.models.list(caller);
    return anthropicVersion === undefined ? presentModels(models) : presentAnthropicModels(models);
  }

  /** Returns an agent as a model, by its name or its id. With the header `anthropic-version`, in Anthropic's form. */
  @Get('models/:model')
  @ApiErrors('AGENT_NOT_FOUND')
  get(
    @Param('model') model: string,
    @FromCaller() caller: Caller,
    @Headers('anthropic-version') anthropicVersion: string | undefined,
  ): OpenAiModelView | AnthropicModelView {
    const { id } = this.models.require(caller, model);
    const found = this.models.list(caller).find(({ agent }) => agent.id === id)!;
    return anthropicVersion === undefined ? presentModel(found) : presentAnthropicModel(found);
  }
}
