import { match } from 'path-to-regexp';

/** The parameters of a path; undefined when the pattern does not match. */
export function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const bare = `/${pattern.replace(/^\/+/, '').replace(/\/+$/, '')}`;
  const found = match<Partial<Record<string, string | string[]>>>(bare.endsWith('/*') ? `${bare.slice(0, -2)}{/*rest}` : bare)(path);
  return found === false
    ? undefined
    : Object.fromEntries(Object.entries(found.params).map(([name, value]) => [name, [value ?? ''].flat().join('/')]));
}
