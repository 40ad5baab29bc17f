import { SetMetadata, type Type } from '@nestjs/common';

export const ACCEPTS = 'parley:accepts';
export const ANSWERS = 'parley:answers';
export const MARKS_OLDER = 'parley:marks-older';

/** A request body that is not JSON, for the OpenAPI document. */
export interface AcceptedBody {
  readonly mediaType: string;
  /** The fields of a form; a property of type `Uint8Array` is a file. Without a class the body is bytes. */
  readonly body?: Type;
}

/** A success that the method's return type does not tell, for the OpenAPI document. */
export interface OtherAnswer {
  readonly status: number;
  readonly about: string;
  /** Media type of a body that the operation writes itself: an event stream, audio, a file. */
  readonly mediaType?: string;
  /** Class of a JSON body, which gets the operation's envelope. */
  readonly body?: Type;
  /** A body that is no JSON, as it may look. */
  readonly example?: string;
}

/** Says that an operation reads another media type than JSON, or also that one: a form with files, bytes. */
export const Accepts = (...bodies: AcceptedBody[]): MethodDecorator => SetMetadata(ACCEPTS, bodies);

/** Says what an operation also answers, or answers instead when its method returns nothing: a stream, bytes, another status. */
export const Answers = (...answers: OtherAnswer[]): MethodDecorator => SetMetadata(ANSWERS, answers);

/** Says of a guard which paths it marks as older ones in the answer, so that the OpenAPI document does too. */
export const MarksOlder = (isOlder: (path: string) => boolean): ClassDecorator => SetMetadata(MARKS_OLDER, isOlder);

/** The answer of an operation that writes server-sent events. */
export const EVENT_STREAM: OtherAnswer = {
  status: 200,
  mediaType: 'text/event-stream',
  about: 'Server-sent events, as docs/reference/events.md lists them; the last one of an answer is `done` or `error`.',
  example: [
    'id: 41\nevent: chunk\ndata: {"type":"chunk","index":0,"chunk":"Sencha."}\n\n',
    'id: 42\nevent: done\ndata: {"type":"complete","text":"Sencha.","didRespond":true}\n\n',
  ].join(''),
};
