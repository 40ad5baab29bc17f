// What the results of a condition come to.
import { median, percentile } from '../support/statistics.mjs';
import { shown } from '../support/table.mjs';

const KINDS = ['single', 'reworded', 'several', 'changed', 'time', 'follow-up', 'never'];

/** Shares are of 0 to 1; `NaN` and absent kinds mean that nothing was asked. */
export function summaryOf(results) {
  const told = results.filter(({ recall }) => !Number.isNaN(recall));
  const times = results.map(({ ms }) => ms).sort((one, other) => one - other);
  const sizes = results.map(({ tokens }) => tokens).sort((one, other) => one - other);
  const ranks = results.map(({ rank }) => rank).filter((rank) => !Number.isNaN(rank));
  const kinds = KINDS.flatMap((kind) => {
    const judged = results.filter(({ question, answerable }) => question.kind === kind && answerable !== undefined);
    return judged.length === 0 ? [] : [[kind, share(judged, ({ answerable }) => answerable)]];
  });
  const inReports = results.filter(({ question }) => question.buried);
  return {
    questions: results.length,
    answered: told.length,
    recall: mean(told.map(({ recall }) => recall)),
    answerable: share(told, ({ answerable }) => answerable),
    kinds: {
      ...Object.fromEntries(kinds),
      ...(inReports.length === 0 ? {} : { buried: share(inReports, ({ answerable }) => answerable) }),
    },
    leaks: results.reduce((sum, { leaks }) => sum + leaks.length, 0),
    rank: ranks.length === 0 ? undefined : median(ranks),
    characters: median(results.map(({ characters }) => characters)),
    remembered: percentile(
      results.map(({ remembered = 0 }) => remembered).sort((one, other) => one - other),
      0.5,
    ),
    tokens: percentile(sizes, 0.5),
    mostTokens: sizes.at(-1),
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  };
}

/** One row for each condition. */
export function summaryTable(summaries) {
  const names = [...KINDS, 'buried'];
  const head = [
    'condition',
    'answerable',
    'recall',
    ...names,
    'leaks',
    'rank',
    'tokens',
    'most',
    'p50 ms',
    'p95 ms',
    'CPU ms/turn',
    'notes',
  ];
  const cell = (value) => (value === undefined || Number.isNaN(value) ? '' : shown(value));
  const part = (value) => (value === undefined || Number.isNaN(value) ? '' : `${Math.round(100 * value)} %`);
  const rows = summaries.map(({ name, summary, processorMs, note = '' }) => [
    name,
    part(summary.answerable),
    part(summary.recall),
    ...names.map((kind) => part(summary.kinds[kind])),
    String(summary.leaks),
    String(summary.rank ?? ''),
    String(Math.round(summary.tokens)),
    String(Math.round(summary.mostTokens)),
    cell(summary.p50),
    cell(summary.p95),
    cell(processorMs),
    note,
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** What can be answered at each budget of tokens, with what plain searches reach; empty when a budget was not measured. */
export function curveOf(summaries, budgets) {
  const named = new Map(summaries.map(({ name, summary }) => [name, summary]));
  const cell = (summary) =>
    `${Math.round(summary.answerable * summary.answered)} of ${summary.answered} in ${Math.round(summary.remembered)} tokens`;
  const rows = budgets.flatMap((budget) => {
    const [without, withFacts] = [`tokens-${budget}`, `extraction-${budget}`].map((name) => named.get(name));
    return without === undefined && withFacts === undefined
      ? []
      : [`| ${[String(budget), ...[without, withFacts].map((each) => (each === undefined ? '' : cell(each)))].join(' | ')} |`];
  });
  if (rows.length === 0) return '';
  const nearest = [...named].flatMap(([name, summary]) => (name.startsWith('nearest-') ? [`${name}: ${cell(summary)}`] : []));
  return ['| RECALL_TOKENS | without extraction | with extraction |', '| --- | --- | --- |', ...rows, '', ...nearest].join('\n');
}

/** Each question that cannot be answered, or shows what others have told. */
export function missesOf(name, results) {
  return results
    .filter(({ answerable, leaks }) => answerable === false || leaks.length > 0)
    .map(({ question, missing, leaks, memories }) =>
      [
        `## ${name}: ${question.id}`,
        ...question.turns.map((text) => `> ${text}`),
        ...(question.outdated === undefined ? [] : [`before: ${excerpt(question.outdated.text, question.outdated.value)}`]),
        ...question.evidence.map(({ value, text }) => `${missing.includes(value) ? 'missing' : 'there'}: ${excerpt(text, value)}`),
        ...(leaks.length === 0 ? [] : [`of others: ${leaks.join(', ')}`]),
        ...memories.map((line) => `  ${line.slice(0, 300)}`),
      ].join('\n'),
    )
    .join('\n\n');
}

function excerpt(text, value) {
  const at = text.indexOf(value);
  return text.length < 300 ? text : `… ${text.slice(Math.max(0, at - 100), at + 100)} …`;
}

function share(list, test) {
  return list.length === 0 ? Number.NaN : list.filter(test).length / list.length;
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
