/** Thrown where an answer has been written already, to end the way of a request without another one. */
export class AnswerGiven extends Error {
  constructor() {
    super('the answer was given');
  }
}
