/** How a service that does not separate thoughts from the response marks them in its text. */
export interface ThoughtMark {
  /** At the beginning of a text. */
  readonly open: RegExp;
  /** The ends of the thought that `open` has matched, in lower case. */
  readonly ends: (opened: RegExpExecArray) => readonly string[];
}

/** Longest mark that is recognised, characters. */
export const MAX_MARK = 100;

const TAGS = ['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'seed:think'];

export const THOUGHTS: readonly ThoughtMark[] = [
  { open: new RegExp(`^<(${TAGS.join('|')})(?:\\s[^<>]{0,60})?>`, 'i'), ends: ([, tag = '']) => [`</${tag.toLowerCase()}>`] },
  { open: /^\[THINK\]/, ends: () => ['[/think]'] },
  { open: /^<\|START_THINKING\|>/, ends: () => ['<|end_thinking|>'] },
  { open: /^<\|channel>thought\n?/, ends: () => ['<channel|>'] },
  // Channels of gpt-oss; a call of a tool ends the thought too.
  { open: /^<\|channel\|>analysis<\|message\|>/, ends: () => ['<|end|>', '<|start|>', '<|channel|>', '<|return|>'] },
];

/** The end of a thought whose beginning is in the prompt. */
export const ORPHAN_END = /^(?:<\/(?:think|thinking|thought|reasoning|seed:think)>|\[\/THINK\])/i;

/** Marks without a meaning for the reader, which some services leave in the text. */
export const SILENT = /^<\|(?:start\|>assistant|channel\|>(?:final|commentary)<\|message\|>|return\|>|end\|>|(?:START|END)_RESPONSE\|>)/;

const LITERALS = [
  ...TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
  ...['[THINK]', '[/THINK]', '<|START_THINKING|>', '<|channel>thought\n', '<|channel|>analysis<|message|>'],
  ...['<|start|>assistant', '<|channel|>final<|message|>', '<|channel|>commentary<|message|>', '<|return|>', '<|end|>'],
  ...['<|START_RESPONSE|>', '<|END_RESPONSE|>'],
].map((mark) => mark.toLowerCase());
const OPEN_TAG = new RegExp(`^<(?:${TAGS.join('|')})\\s[^<>]{0,60}$`, 'i');

/** Whether more text could make a mark of a text. */
export function mayBecomeMark(text: string, others: readonly string[]): boolean {
  if (text.length > MAX_MARK) return false;
  const lower = text.toLowerCase();
  const isBeginning = (mark: string): boolean => mark.length > lower.length && mark.startsWith(lower);
  return LITERALS.some(isBeginning) || others.some(isBeginning) || OPEN_TAG.test(text);
}
