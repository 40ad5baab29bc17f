import type { ErrorBody } from '../../core/errors/index.js';

/** What an agent tells the people in a chat when it cannot reply: what happened, and what to do. */
export function noticeText({ code, message, details }: ErrorBody): string {
  const [what, advice] = [withoutCapital(message), details === message ? '' : ` ${details}`];
  const again = code.startsWith('MODEL_') && !advice.includes('send the message again') ? ' Then send the message again.' : '';
  return `I cannot answer: ${what}${advice}${again}`;
}

/** Only a capital that begins a plain word: names such as GPT keep theirs. */
function withoutCapital(sentence: string): string {
  return /^[A-Z][a-z]* /.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}
