import type { NextFunction, RequestHandler } from 'express';

/** Several middleware as one, each called directly by the one before: a step through Express's router costs about as much as most of them. */
export function inTurn(...steps: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    let position = 0;
    const step: NextFunction = (error?: unknown) => {
      const following = steps[position++];
      if (error !== undefined || following === undefined) {
        next(error);
        return;
      }
      try {
        void following(request, response, step);
      } catch (thrown) {
        next(thrown);
      }
    };
    step();
  };
}
