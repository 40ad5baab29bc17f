// What servers say of themselves once their stored data has been checked: for the checker and the soak. They need METRICS=on, and an
// INVARIANT_CHECK_MS that is short enough to wait for.
const COUNT = /^parley_invariants_checks_total\{[^}]*invariant="([^"]+)"[^}]*\} (\d+)/gm;
const LOOK_MS = 100;
const PATIENCE_MS = 60_000;

/**
 * The problems of all servers after the leader has checked every invariant once more.
 *
 * @param {readonly string[]} urls of all servers of an installation
 * @returns {Promise<{ kind: string, subject: string, message: string, count: number }[]>}
 * @throws Error when the invariants are not checked within a minute
 */
export async function checkedProblems(urls) {
  const before = await counts(urls);
  for (const end = performance.now() + PATIENCE_MS; ; await new Promise((resolve) => setTimeout(resolve, LOOK_MS))) {
    const now = await counts(urls);
    // Two more of each: then every one of them was checked as a whole since the first look.
    if (now.size > 0 && [...now].every(([name, count]) => count >= (before.get(name) ?? 0) + 2)) break;
    if (performance.now() > end) throw new Error(`the stored data was not checked within ${PATIENCE_MS} ms: ${JSON.stringify([...now])}`);
  }
  const lists = await Promise.all(
    urls.map(async (url) => {
      const { data } = await (await fetch(`${url}/api/server/problems`)).json();
      return data.problems;
    }),
  );
  return lists.flat();
}

async function counts(urls) {
  const sums = new Map();
  for (const url of urls) {
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const [, name, count] of text.matchAll(COUNT)) sums.set(name, (sums.get(name) ?? 0) + Number(count));
  }
  return sums;
}
