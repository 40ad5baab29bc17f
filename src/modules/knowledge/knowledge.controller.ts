import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Query, Req, Res, UseGuards } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import {
  ApiConsumes,
  ApiErrors,
  ApiResponses,
  EVENT_STREAM,
  isMultipart,
  receiveUpload,
  sendEventStream,
  UuidPipe,
  ValidationPipe,
  type HttpRequest,
  type HttpResponse,
} from '../../core/http/index.js';
import { FileStorage, type ReceivedContent } from '../../providers/storage/index.js';
import { AgentExistsGuard } from '../agents/index.js';
import {
  DocumentBody,
  DocumentDetailsView,
  DocumentForm,
  DocumentsView,
  DocumentView,
  ListDocumentsQuery,
  presentDetails,
  presentDocument,
  presentDocuments,
  ReadDocumentQuery,
  toGivenDocument,
  toPage,
  toPlaces,
} from './knowledge.dto.js';
import { KnowledgeService, type GivenDocument } from './knowledge.service.js';
import { ProgressStream } from './progress-stream.js';

const FORM = { mediaType: 'multipart/form-data', body: DocumentForm };
const JSON_BODY = { mediaType: 'application/json', body: DocumentBody };
const pipe = new ValidationPipe();

/** Documents of agents, whose pieces the agent recalls in every conversation. */
@Controller('api/agents/:agentId/knowledge')
@UseGuards(AgentExistsGuard)
export class KnowledgeController {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly progress: ProgressStream,
    private readonly storage: FileStorage,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Adds a document to an agent: a file, a text, or the address of a document.
   *
   * @remarks A document with the same name or address is replaced. The document is read in the background: its `status` and the journal's
   * `knowledge.updated` tell when.
   */
  @Post()
  @ApiConsumes(FORM, JSON_BODY)
  @HttpCode(202)
  @ApiErrors('VALIDATION_ERROR', 'FILE_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'STORAGE_FULL', 'DOCUMENT_LIMIT_REACHED', 'CONFLICT')
  async add(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<DocumentView> {
    return presentDocument(await this.knowledge.add(agentId, await this.given(request, response, { named: true })));
  }

  /** The documents of an agent, newest first. */
  @Get()
  @ApiErrors('VALIDATION_ERROR')
  async list(@Param('agentId', UuidPipe) agentId: string, @Query() query: ListDocumentsQuery): Promise<DocumentsView> {
    const { limit, before } = toPage(query);
    return presentDocuments(await this.knowledge.list(agentId, limit, before));
  }

  /** Streams the progress of an agent's documents as server-sent events, from now on, without end. */
  @Get('events')
  @ApiResponses(EVENT_STREAM)
  async events(
    @Param('agentId', UuidPipe) agentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    await sendEventStream({ request, response, clock: this.clock }, (signal) => this.progress.of(agentId, signal));
  }

  /** A document of an agent, with the places of its pieces in order. */
  @Get(':documentId')
  @ApiErrors('VALIDATION_ERROR', 'DOCUMENT_NOT_FOUND')
  async read(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('documentId', UuidPipe) documentId: string,
    @Query() query: ReadDocumentQuery,
  ): Promise<DocumentDetailsView> {
    const { limit, after } = toPlaces(query);
    const document = await this.knowledge.require(agentId, documentId);
    return presentDetails(document, await this.knowledge.places(document, after, limit));
  }

  /** Replaces the content of a document. Pieces that have not changed stay; a document from the web is downloaded again. */
  @Put(':documentId')
  @ApiConsumes(FORM, JSON_BODY)
  @HttpCode(202)
  @ApiErrors('VALIDATION_ERROR', 'DOCUMENT_NOT_FOUND', 'FILE_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'STORAGE_FULL', 'CONFLICT')
  async replace(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('documentId', UuidPipe) documentId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<DocumentView> {
    await this.knowledge.require(agentId, documentId);
    const given = await this.given(request, response, { named: false });
    return presentDocument(await this.knowledge.replace(agentId, documentId, given));
  }

  /** Deletes a document with its pieces. */
  @Delete(':documentId')
  @HttpCode(204)
  @ApiErrors('DOCUMENT_NOT_FOUND', 'CONFLICT')
  async delete(@Param('agentId', UuidPipe) agentId: string, @Param('documentId', UuidPipe) documentId: string): Promise<void> {
    await this.knowledge.delete(agentId, documentId);
  }

  private async given(request: HttpRequest, response: HttpResponse, options: { named: boolean }): Promise<GivenDocument> {
    if (!isMultipart(request)) {
      return toGivenDocument(pipe.transform(request.body, { type: 'body', metatype: DocumentBody }) as DocumentBody, options);
    }
    const upload = await receiveUpload<ReceivedContent>(request, response, {
      limitBytes: this.config.uploadLimitBytes,
      sink: { write: (content) => this.storage.receive(content), remove: (content) => content.discard() },
    });
    return { upload };
  }
}
