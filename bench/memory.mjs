// What an agent remembers of what it was told: whether the evidence for an answer stands in the prompt. No model judges anything, and the
// same seed asks the same questions.
import { writeFile } from 'node:fs/promises';
import { baselines } from './recall/baselines.mjs';
import { CONDITIONS } from './recall/conditions.mjs';
import { missesOf, summaryOf, summaryTable } from './recall/report.mjs';
import { Stage } from './recall/stage.mjs';
import { worldOf } from './recall/world.mjs';
import { shown } from './support/table.mjs';

// Takes minutes to fill, so it runs when it is named.
const ON_DEMAND = new Set(['100k']);

export async function memory(workshop) {
  const { options } = workshop;
  const names = options['only-conditions']?.split(',') ?? Object.keys(CONDITIONS).filter((name) => !ON_DEMAND.has(name));
  const unknown = names.filter((name) => !Object.hasOwn(CONDITIONS, name));
  if (unknown.length > 0) throw new Error(`There is no condition ${unknown.join(', ')}; there are ${Object.keys(CONDITIONS).join(', ')}.`);
  const world = worldOf(Number(options.seed ?? 1), { small: workshop.smoke });
  const stage = await Stage.open(workshop, world);
  const measured = [];
  try {
    const { data, vectors } = await stage.told();
    for (const name of names) {
      process.stderr.write(`memory: ${name} ...\n`);
      const { results, processorMs, note } = await CONDITIONS[name](stage, () => workshop.copyOf(data));
      await workshop.stopAll();
      measured.push({ name, results, processorMs, note, summary: summaryOf(results) });
    }
    measured.push(...baselines(world).map((each) => ({ ...each, summary: summaryOf(each.results) })));
    workshop.report(
      `Seed ${world.seed}, ${world.statements.length} statements, ${vectors.vectors} of ${vectors.messages} messages of users with vectors.`,
    );
    workshop.report(summaryTable(measured));
  } finally {
    await stage.close();
  }
  if (options.misses) for (const { name, results } of measured) workshop.report(missesOf(name, results));
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify({ seed: world.seed, conditions: measured }, undefined, 2));
  return measured.map(({ name, summary }) => ({
    name: `answerable from memory, ${name}`,
    measured: 100 * summary.answerable,
    unit: ' %',
    more: `${shown(summary.tokens)} tokens, ${summary.leaks} leaks`,
  }));
}
