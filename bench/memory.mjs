// What an agent remembers of what it was told: whether the evidence for an answer stands in the prompt. No model judges anything, and the
// same seed asks the same questions.
import { writeFile } from 'node:fs/promises';
import { baselines } from './recall/baselines.mjs';
import { BUDGETS, CONDITIONS } from './recall/conditions.mjs';
import { curveOf, missesOf, summaryOf, summaryTable } from './recall/report.mjs';
import { Stage } from './recall/stage.mjs';
import { worldOf } from './recall/world.mjs';
import { shown } from './support/table.mjs';

// Takes minutes to fill, so it runs when it is named.
const ON_DEMAND = new Set(['100k']);

// The default configuration, and words alone.
const OF_OTHER_LANGUAGES = ['warm', 'none'];

export async function memory(workshop) {
  const { options } = workshop;
  const given = options['only-conditions']?.split(',');
  const unknown = (given ?? []).filter((name) => !Object.hasOwn(CONDITIONS, name));
  if (unknown.length > 0) throw new Error(`There is no condition ${unknown.join(', ')}; there are ${Object.keys(CONDITIONS).join(', ')}.`);
  const rows = [];
  const written = [];
  for (const language of options.languages?.split(',') ?? ['en']) {
    const english = language === 'en';
    const names = given ?? (english ? Object.keys(CONDITIONS).filter((name) => !ON_DEMAND.has(name)) : OF_OTHER_LANGUAGES);
    const world = worldOf(Number(options.seed ?? 1), { small: workshop.smoke, language });
    const measured = await measure(workshop, world, names);
    if (options.misses) for (const { name, results } of measured) workshop.report(missesOf(`${language}, ${name}`, results));
    written.push({ seed: world.seed, language, conditions: measured });
    rows.push(...measured.map((each) => rowOf(english ? each.name : `${language}, ${each.name}`, each)));
    // After each language, so that a failure in the next one does not lose it.
    if (options.json !== undefined) {
      await writeFile(options.json, JSON.stringify(written.length === 1 ? written[0] : written, undefined, 2));
    }
  }
  return rows;
}

/** Tells a world and asks its questions under each condition. */
async function measure(workshop, world, names) {
  const stage = await Stage.open(workshop, world);
  const measured = [];
  try {
    const { data, vectors } = await stage.told();
    for (const name of names) {
      process.stderr.write(`memory: ${world.language}, ${name} ...\n`);
      const { results, processorMs, note } = await CONDITIONS[name](stage, () => workshop.copyOf(data));
      await workshop.stopAll();
      measured.push({ name, results, processorMs, note, summary: summaryOf(results) });
    }
    // The words of `grep` are English.
    const compared = (await baselines(world)).filter(({ name }) => world.language === 'en' || name !== 'grep');
    measured.push(...compared.map((each) => ({ ...each, summary: summaryOf(each.results) })));
    workshop.report(
      `Seed ${world.seed}, language ${world.language}, ${workshop.engine}, ${world.statements.length} statements, ${vectors.vectors} of ${vectors.messages} messages of users with vectors.`,
    );
    workshop.report(summaryTable(measured));
    workshop.report(curveOf(measured, BUDGETS));
    return measured;
  } finally {
    await stage.close();
  }
}

function rowOf(name, { results, summary }) {
  const judged = results.filter(({ question, answerable }) => question.kind !== 'never' && answerable !== undefined);
  const answered = judged.filter(({ answerable }) => answerable).length;
  return {
    name: `answerable from memory, ${name}`,
    measured: 100 * summary.answerable,
    unit: ' %',
    more: `${answered} of ${judged.length}, ${shown(summary.tokens)} tokens, ${summary.leaks} leaks`,
  };
}
