import { expect } from '@jest/globals';
import { errorDefinition, type ErrorCode } from '../../src/core/errors/index.js';
import type { ApiResponse } from './api-client.js';

/** What must never be in an answer: stack frames, paths of this machine, SQL, and names of the parts underneath. */
const LEAKS = [
  /\bat [\w.<>[\] ]+ \(.*:\d+:\d+\)/,
  /\.[cm]?[jt]s:\d+/,
  /node_modules|node:internal/,
  /(^|[\s"'(])\/(work|tmp|home|root|usr|etc|var)\//,
  /\b(SELECT|INSERT INTO|DELETE FROM)\b|\bUPDATE \w+ SET\b/,
  /sqlite|typeorm|QueryFailedError|postgres/i,
  /\bTypeError\b|\bReferenceError\b|is not a function|Cannot read propert/,
];

/** The error envelope of the specification: only non-empty strings, without internal details. */
export function expectError(answer: ApiResponse, status: number, code: ErrorCode): void {
  const seen = { status: answer.status, code: answer.body?.error?.code ?? JSON.stringify(answer.body).slice(0, 300) };
  expect(seen).toEqual({ status, code });
  expectErrorEnvelope(answer);
  expect(errorDefinition(code).meaning).not.toBe('');
}

function expectErrorEnvelope({ headers, body }: ApiResponse): void {
  expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  const said = expect.stringMatching(/\S/);
  expect(body).toEqual({ success: false, error: { code: said, message: said, details: said }, requestId: headers.get('x-request-id') });
  const text = JSON.stringify(body);
  for (const leak of LEAKS) expect(text).not.toMatch(leak);
}

/** The success envelope with its payload under `data`. @returns the payload */
export function expectData(answer: ApiResponse, status = 200): ApiResponse['body'] {
  expectStatus(answer, status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(answer.body).sort()).toEqual(['data', 'success']);
  expect(answer.body.success).toBe(true);
  return answer.body.data;
}

/** The success envelope whose payload is also at the top level (contract 0.3). @returns the payload */
export function expectHybrid(answer: ApiResponse, status = 200): ApiResponse['body'] {
  expectStatus(answer, status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const { success, data, ...beside } = answer.body;
  expect(success).toBe(true);
  const { success: _repeated, ...payload } = data;
  expect(beside).toEqual(payload);
  return data;
}

function expectStatus({ status, body }: ApiResponse, expected: number): void {
  // The error of the answer says why when it is not the expected one.
  expect({ status, error: body?.error }).toEqual({ status: expected });
}
