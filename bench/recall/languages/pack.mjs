// The language in which a world speaks. English is written as lists; the others as texts, from which `textPack` reads the same lists.

/**
 * @typedef {[id: string, values: string[], statements: string[], questions: string[], reworded: string[]]} Fact `{v}` in a statement is the
 *   value, `{v2}` and `{v3}` are further forms of it, which a value lists behind `|`
 * @typedef {object} Speech what people say beside facts about themselves
 * @property {string} gap between sentences
 * @property {number} reportCharacters of a long report
 * @property {string} prose a sentence of a long report: `{s}` of `subjects`, `{v}` of `verbs`, `{o}` of `objects`, `{e}` of `ends`
 * @property {string[]} asked questions to the agent
 * @property {string[]} requested requests to the agent
 * @property {string[]} remarks
 * @property {string[]} topics
 * @property {string[]} about what is said about a topic `{t}`, also beside another one, `{o}`
 * @property {string[]} before what comes before a statement
 * @property {string[]} after what comes after it
 * @property {string[]} asking what comes before a question
 * @property {string[]} subjects
 * @property {string[]} verbs
 * @property {string[]} objects
 * @property {string[]} ends
 *
 * @typedef {object} Pack
 * @property {Fact[]} facts
 * @property {[ids: string[], questions: string[]][]} groups questions that need several facts
 * @property {[id: string, before: string[], questions: string[]][]} followUps questions that depend on the turn before
 * @property {[id: string, values: string[], first: string[], later: string[], questions: string[]][]} changes
 * @property {[id: string, values: string[], statements: string[], questions: string[]][]} events
 * @property {Fact[]} neverTold what the user never tells and others do
 * @property {Speech} speech
 */

/**
 * Reads the texts of a language. A record is a line `id = VALUES`, where VALUES is the name of a list or its values, and a line for each of
 * its lists of wordings; ` / ` separates values and wordings. Groups and follow-up questions have no values.
 *
 * @param {{ values: Record<string, string>, facts: string, groups: string, followUps: string, changes: string, events: string, neverTold:
 *   string, speech: object }} texts `values` are separated by spaces
 * @returns {Pack}
 */
export function textPack({ values, facts, groups, followUps, changes, events, neverTold, speech }) {
  const lists = new Map(Object.entries(values).map(([name, text]) => [name, text.trim().split(/\s+/)]));
  const records = (text, wordings) =>
    recordsOf(text, wordings).map(([head, ...rest]) => {
      const [id, list] = head.split(' = ');
      return [id, lists.get(list) ?? alternatives(list), ...rest];
    });
  return {
    facts: records(facts, 3),
    groups: recordsOf(groups, 1).map(([ids, questions]) => [ids.split(' + '), questions]),
    followUps: recordsOf(followUps, 2),
    changes: records(changes, 3),
    events: records(events, 2),
    neverTold: records(neverTold, 3),
    speech: Object.fromEntries(
      Object.entries(speech).map(([name, value]) => [name, typeof value === 'string' && value.includes('\n') ? linesOf(value) : value]),
    ),
  };
}

/** The first line of each record, and the wordings in each of its other lines. */
function recordsOf(text, wordings) {
  const lines = linesOf(text);
  if (lines.length % (wordings + 1) !== 0) throw new Error(`${lines.length} lines are no records of ${wordings + 1} lines: ${lines[0]}`);
  return Array.from({ length: lines.length / (wordings + 1) }, (_, index) => {
    const [head, ...rest] = lines.slice(index * (wordings + 1), (index + 1) * (wordings + 1));
    return [head, ...rest.map(alternatives)];
  });
}

function linesOf(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function alternatives(line) {
  return line.split(' / ').map((part) => part.trim());
}
