import type { Request, Response } from 'express';

/** The framework's request and response, named here so that nothing else depends on which framework it is. */
export type HttpRequest = Request;
export type HttpResponse = Response;
