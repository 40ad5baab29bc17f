import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

const WORDS: Record<string, string> = {
  string: 'text',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  boolean: 'true or false',
  number: 'a number',
};

/** The message of a error, to follow the field's path; undefined to use the library's message. */
export function errorText(issue: RawIssue): string | undefined {
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'is missing' : `must be ${WORDS[issue.expected] ?? issue.expected}`;
  return undefined;
}

/** All errors as messages with their paths: `messageExamples[0][1].name must be text`. */
export function characterErrors(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => sentences(issue, []));
}

function sentences(issue: Issue, above: readonly PropertyKey[]): string[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${named([...path, key])} is not a field of a character`);
  const closest = issue.code === 'invalid_union' ? closestBranch(issue.errors) : undefined;
  return closest ? closest.flatMap((inner) => sentences(inner, path)) : [`${named(path)} ${issue.message}`];
}

/** The union member whose type matches, so that its errors are inside the value; undefined if no type matches. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.find(
    (issues) =>
      issues.length > 0 && issues.every((issue) => issue.code === 'custom' || (issue.path.length > 0 && issue.message !== 'is missing')),
  );
}

function named(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text === '' ? 'the character' : text.replace(/^\./, '');
}
