import { t } from '../i18n.js';

interface Suggesting {
  readonly topics?: readonly string[] | null;
  readonly messageExamples?: readonly (readonly { readonly [key: string]: unknown }[])[] | null;
}

const MOST = 4;
const FEWEST_WORDS = 4;

/**
 * What a new conversation offers to ask: questions of the character's examples, which it can answer also without a language model, and its
 * topics when it has none.
 */
export function suggestions({ topics, messageExamples }: Suggesting): string[] {
  const asked = (messageExamples ?? []).map(([first]) => textOf(first)).filter(isOffered);
  return (asked.length > 0 ? asked : (topics ?? []).map((topic) => t('chat.askAbout', { topic }))).slice(0, MOST);
}

function textOf(line: { readonly [key: string]: unknown } | undefined): string {
  const content = line?.['content'];
  const text = typeof content === 'object' && content !== null && 'text' in content ? content.text : undefined;
  return typeof text === 'string' ? text.trim() : '';
}

/** Small talk is short, or about the agent itself. */
function isOffered(question: string): boolean {
  return question.endsWith('?') && question.split(/\s+/).length >= FEWEST_WORDS && !/\byou(?:r|rs)?\b/i.test(question);
}
