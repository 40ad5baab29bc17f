import { jest } from '@jest/globals';

const SEARCHES = ['includes', 'indexOf', 'lastIndexOf', 'find', 'findIndex', 'some', 'every'] as const;

/**
 * Elements of lists that searches may look at while something goes on: the length of each list that is searched. Lists that are compared with
 * lists count their product.
 */
export async function elementsSearched(meanwhile: () => Promise<unknown>): Promise<number> {
  let searched = 0;
  const spies = SEARCHES.map((name) => {
    const real = Array.prototype[name] as (...args: unknown[]) => unknown;
    return jest.spyOn(Array.prototype, name).mockImplementation(function (this: unknown[], ...args: unknown[]) {
      searched += this.length;
      return real.apply(this, args);
    } as never);
  });
  try {
    await meanwhile();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return searched;
}

/** The most calls of a method in one iteration of the event loop. */
export function mostCallsInARow<T extends object>(object: T, method: keyof T & string): () => number {
  let [most, inThisTurn] = [0, 0];
  const real = (object[method] as (...args: unknown[]) => unknown).bind(object);
  jest.spyOn(object, method as never).mockImplementation(((...args: unknown[]) => {
    if (inThisTurn === 0) setImmediate(() => (inThisTurn = 0));
    inThisTurn += 1;
    most = Math.max(most, inThisTurn);
    return real(...args);
  }) as never);
  return () => most;
}

/** Characters of the texts of which a method of texts is called while something goes on, where its first argument is one of these. */
export async function charactersRead(
  method: 'includes' | 'split' | 'toLowerCase',
  meanwhile: () => unknown,
  counts: (argument: unknown) => boolean = () => true,
): Promise<number> {
  let read = 0;
  const real = String.prototype[method] as (...args: unknown[]) => unknown;
  const spy = jest.spyOn(String.prototype, method).mockImplementation(function (this: string, ...args: unknown[]) {
    if (counts(args[0])) read += this.length;
    return real.apply(this, args);
  } as never);
  try {
    await meanwhile();
  } finally {
    spy.mockRestore();
  }
  return read;
}

/** Processor time of this process, which others do not lengthen, ms. */
export async function processorMs(work: () => unknown): Promise<number> {
  const begin = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

/** Members of objects that are listed while something goes on. */
export async function membersListed(meanwhile: () => Promise<unknown>): Promise<number> {
  let listed = 0;
  const real = { entries: Object.entries, keys: Object.keys, values: Object.values };
  const spies = (['entries', 'keys', 'values'] as const).map((name) =>
    jest.spyOn(Object, name).mockImplementation(((value: object) => {
      const members = (real[name] as (of: object) => unknown[])(value);
      listed += members.length;
      return members;
    }) as never),
  );
  try {
    await meanwhile();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return listed;
}
