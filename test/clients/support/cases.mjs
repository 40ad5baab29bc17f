// Runs the cases of a suite one after another, and tells the outcome of each.
const LIMIT_MS = 30_000;

/**
 * @param groups by name, each with what to do with the context, by title
 * @param context its scripted `server` is stopped when all have run; a case that failed leaves nothing that the model would say to the next one
 */
export async function runCases(groups, context) {
  const counts = { passed: 0, failed: 0 };
  for (const [group, cases] of Object.entries(groups)) {
    for (const [title, run] of Object.entries(cases)) {
      context.server.model.dropScript();
      try {
        await inTime(() => run(context));
        counts.passed += 1;
        console.log(`ok    ${group}: ${title}`);
      } catch (error) {
        counts.failed += 1;
        console.log(`FAIL  ${group}: ${title}: ${error.stack ?? error}`);
      }
    }
  }
  await context.server.stop();
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

/** A case that waits for something that never happens must fail. */
async function inTime(run) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not end within ${LIMIT_MS / 1000} seconds`)), LIMIT_MS);
  });
  try {
    await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A promise that a case keeps when it likes. */
export function gate() {
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
