import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import {
  AllowRestricted,
  ApiErrors,
  ChecksAgentOf,
  disconnectSignal,
  FromCaller,
  NoEnvelope,
  type Caller,
  type HttpResponse,
} from '../../core/http/index.js';
import { AgentModels, EmbeddingsService, ForProtocol, KnownFields } from '../../modules/protocols/index.js';
import { OpenAiEmbeddingsBody, OpenAiEmbeddingsView, presentEmbedding } from './embeddings.dto.js';
import { OpenAiErrors } from './openai-errors.js';

@Controller('v1')
@ForProtocol('openai')
@OpenAiErrors()
@NoEnvelope()
export class OpenAiEmbeddingsController {
  constructor(
    private readonly models: AgentModels,
    private readonly embeddings: EmbeddingsService,
  ) {}

  /** Embeds texts with the embedding model of the server. */
  @Post('embeddings')
  @HttpCode(200)
  @AllowRestricted()
  @ChecksAgentOf('model')
  @KnownFields(OpenAiEmbeddingsBody)
  @ApiErrors('AGENT_NOT_FOUND', 'MODEL_UNAVAILABLE', 'MODEL_REJECTED')
  async create(
    @Body() body: OpenAiEmbeddingsBody,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<OpenAiEmbeddingsView> {
    const { modelId } = this.embeddings;
    if (body.model !== modelId) this.models.require(caller, body.model);
    const texts = typeof body.input === 'string' ? [body.input] : body.input;
    const dimensions = body.dimensions ?? undefined;
    const { vectors, tokens } = await this.embeddings.embed(texts, { dimensions, who: caller.id, signal: disconnectSignal(response) });
    return {
      object: 'list',
      data: vectors.map((vector, index) => presentEmbedding(vector, index, body.encoding_format ?? 'float')),
      model: modelId ?? body.model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
  }
}
