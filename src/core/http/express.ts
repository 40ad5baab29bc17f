import type { Request, Response } from 'express';

/** Aliases that keep the rest of the program independent of the HTTP framework. */
export type HttpRequest = Request;
export type HttpResponse = Response;
