import { SetMetadata, type Type } from '@nestjs/common';

export const API_CONSUMES = 'parley:accepts';
export const API_RESPONSES = 'parley:responses';
export const DEPRECATED_PATHS = 'parley:marks-older';
export const OPERATION_ID = 'parley:operation-id';

/** A request body that is not JSON, for the OpenAPI document. */
export interface ConsumedBody {
  readonly mediaType: string;
  /** The fields of a form; a property of type `Uint8Array` is a file. Without a class the body is bytes. */
  readonly body?: Type;
}

/** A success response that does not follow from the method's return type, for the OpenAPI document. */
export interface AdditionalResponse {
  readonly status: number;
  readonly about: string;
  /** Media type of a body that the operation writes itself, such as an event stream, audio or a file. */
  readonly mediaType?: string;
  /** Class of a JSON body, to which the operation's envelope is added; with a media type, class of the body as it is. */
  readonly body?: Type;
  /** Example of a body with a media type. */
  readonly example?: unknown;
}

/** Declares request media types in addition to JSON or in its place: a form with files, bytes. */
export const ApiConsumes = (...bodies: ConsumedBody[]): MethodDecorator => SetMetadata(API_CONSUMES, bodies);

/** Declares responses in addition to the return value, or in its place when the method returns nothing: a stream, bytes, another status. */
export const ApiResponses = (...responses: AdditionalResponse[]): MethodDecorator => SetMetadata(API_RESPONSES, responses);

/** Declares which paths a guard marks as deprecated in the response, so that the OpenAPI document marks them too. */
export const DeprecatedPaths = (isDeprecated: (path: string) => boolean): ClassDecorator => SetMetadata(DEPRECATED_PATHS, isDeprecated);

/** Sets the operation id in the OpenAPI document, by default derived from controller and method. Generated clients name methods after it. */
export const OperationId = (id: string): MethodDecorator => SetMetadata(OPERATION_ID, id);

/** The response of an operation that writes server-sent events. OpenAPI 3.1 describes no events: generators read the schema as that of their data. */
export const EVENT_STREAM: AdditionalResponse = {
  status: 200,
  mediaType: 'text/event-stream',
  about: 'Server-sent events, as docs/reference/events.md lists them; the schema is that of the `data` of each.',
  example: { offset: 41 },
};

/** The response of an operation with an `ETag` to a client that has the body already. */
export const NOT_MODIFIED: AdditionalResponse = {
  status: 304,
  about: 'The body is the one whose `ETag` is in `If-None-Match`.',
};
