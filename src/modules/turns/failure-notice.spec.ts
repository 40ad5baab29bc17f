import { describe, expect, it } from '@jest/globals';
import { noticeText } from './failure-notice.js';

describe('the failure notice', () => {
  it.each([
    [
      { code: 'MODEL_REJECTED', message: 'openai (gpt) refused the API key (status 401).', details: 'Set OPENAI_API_KEY to a valid key.' },
      'I cannot answer: openai (gpt) refused the API key (status 401). Set OPENAI_API_KEY to a valid key. Then send the message again.',
    ],
    [
      { code: 'AGENT_NOT_FOUND', message: 'Agent Ada is not running.', details: 'Start it and send the message again.' },
      'I cannot answer: agent Ada is not running. Start it and send the message again.',
    ],
    [{ code: 'TURN_FAILED', message: 'It is away.', details: 'It is away.' }, 'I cannot answer: it is away.'],
    [{ code: 'TURN_FAILED', message: 'GPT is away.', details: 'GPT is away.' }, 'I cannot answer: GPT is away.'],
  ])('%#', (error, text) => {
    expect(noticeText(error)).toBe(text);
  });
});
