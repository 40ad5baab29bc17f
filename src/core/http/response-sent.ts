/** Thrown after a response has been written, to stop the processing of the request. The error filter ignores it. */
export class ResponseSent extends Error {
  constructor() {
    super('the response was sent');
  }
}
