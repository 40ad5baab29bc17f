// What a prompt, or an answer of the offline responder, shows of what was asked for.
import { mentions } from './mentions.mjs';

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const AGO = /\b(?:\w+ (?:day|week|month|year)s? ago|yesterday|last (?:week|month|year|\w+day))\b/i;
const DATE = new RegExp(String.raw`\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2} (?:${shortMonths()})|\b(?:${shortMonths()})\w*\.? \d{1,2}\b`, 'i');
const MEMORIES = /^#.*(?:remember|memor|told)/i;
/** Facts and memories. */
const REMEMBERED = /^#.*(?:remember|memor|told|know about)/i;
const CHARACTERS_PER_TOKEN = 4;
const CHARACTERS_PER_TOKEN_THAI = 2;

/**
 * @typedef {object} Verdict
 * @property {number} recall share of the evidence that is there, 0 to 1; NaN for what was never told
 * @property {boolean | undefined} answerable undefined for what was never told, unless the text is an answer
 * @property {string[]} missing values that are not there
 * @property {string[]} leaks values of others that are there
 * @property {number} rank place of the best evidence among the memories, from 1; NaN when the prompt has no section of memories
 * @property {number} characters
 * @property {number} tokens an estimate
 * @property {number} remembered an estimate of the tokens of the sections of facts and memories
 * @property {string[]} memories the lines of the section of memories
 */

/** @param body of the request to the model @returns {Verdict} */
export function judgePrompt(question, world, body) {
  const text = body.messages.map(({ content }) => textOf(content)).join('\n');
  const lines = text.split('\n');
  const memories = sectionOf(lines);
  const { evidence, outdated, kind } = question;
  const places = evidence.map(({ value }) => memories.findIndex((line) => mentions(line, value))).filter((place) => place >= 0);
  const lineOf = (statement) => lines.find((line) => mentions(line, statement.value)) ?? '';
  const found = seen(question, world, text);
  const complete = found.missing.length === 0;
  const able = {
    changed: () => !mentions(text, outdated.value) || orderIsTold(lines, lineOf, outdated, evidence[0]),
    time: () => isDated(lineOf(evidence[0]), evidence[0]),
  };
  return {
    ...found,
    answerable: kind === 'never' ? undefined : complete && (able[kind]?.() ?? true),
    rank: places.length === 0 ? Number.NaN : Math.min(...places) + 1,
    remembered: Math.round(rememberedIn(lines).join('\n').length / CHARACTERS_PER_TOKEN),
    memories,
  };
}

/** @param text the answer of the offline responder, from which no model can draw conclusions any more @returns {Verdict} */
export function judgeAnswer(question, world, text) {
  const found = seen(question, world, text);
  const complete = found.missing.length === 0;
  const asserted = world.statements.filter(({ value }) => mentions(text, value));
  const able = {
    never: () => asserted.length === 0 && found.leaks.length === 0,
    time: () => isDated(text, question.evidence[0]),
  };
  return { ...found, answerable: complete && (able[question.kind]?.() ?? true), rank: Number.NaN, memories: [text] };
}

function seen({ evidence }, world, text) {
  const missing = evidence.map(({ value }) => value).filter((value) => !mentions(text, value));
  return {
    recall: evidence.length === 0 ? Number.NaN : 1 - missing.length / evidence.length,
    missing,
    leaks: world.foreign.filter((value) => mentions(text, value)),
    characters: text.length,
    tokens: tokensOf(text),
  };
}

/** An estimate: of Chinese, Japanese and Korean, each character is a token. */
function tokensOf(text) {
  const count = (letters) => text.match(letters)?.length ?? 0;
  const whole = count(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu);
  const thai = count(/\p{sc=Thai}/gu);
  return Math.round(whole + thai / CHARACTERS_PER_TOKEN_THAI + (text.length - whole - thai) / CHARACTERS_PER_TOKEN);
}

/** The items of the first section whose heading speaks of memories. */
function sectionOf(lines) {
  const begin = lines.findIndex((line) => MEMORIES.test(line));
  if (begin === -1) return [];
  const rest = lines.slice(begin + 1);
  const end = rest.findIndex((line) => line.startsWith('#') || line === '');
  return end === -1 ? rest : rest.slice(0, end);
}

/** The lines of the sections of facts and memories, with their headings. */
function rememberedIn(lines) {
  let isInside = false;
  return lines.filter((line) => {
    if (line.startsWith('#')) isInside = REMEMBERED.test(line);
    else if (line === '') isInside = false;
    return isInside;
  });
}

function orderIsTold(lines, lineOf, outdated, current) {
  const [before, after] = [lineOf(outdated), lineOf(current)];
  const dates = [dateOf(before, outdated), dateOf(after, current)];
  if (dates.every((date) => date !== undefined)) return dates[0] !== dates[1] || lines.indexOf(before) < lines.indexOf(after);
  return lines.indexOf(before) < lines.indexOf(after);
}

/** The first date on a line beside what was said. */
function dateOf(line, { text }) {
  const beside = line.replace(text, '');
  return (DATE.exec(beside) ?? AGO.exec(beside))?.[0];
}

/** Whether a line tells on which day a statement was made; a period that has passed since is enough. */
function isDated(line, { text, at }) {
  const beside = line.replace(text, '').toLowerCase();
  const day = new Date(at);
  const [month, date] = [MONTHS[day.getUTCMonth()].toLowerCase(), day.getUTCDate()];
  const forms = [month, month.slice(0, 3)].flatMap((name) => [`${date} ${name}`, `${name} ${date}`, `${name}. ${date}`]);
  return beside.includes(day.toISOString().slice(0, 10)) || forms.some((form) => beside.includes(form)) || AGO.test(beside);
}

function textOf(content) {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

function shortMonths() {
  return MONTHS.map((month) => month.slice(0, 3)).join('|');
}
