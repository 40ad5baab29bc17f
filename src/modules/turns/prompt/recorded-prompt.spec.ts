import { describe, expect, it } from '@jest/globals';
import { ScriptedModel } from '../../../../test/support/scripted-model.js';
import type { ChatMessage } from '../../../providers/models/index.js';
import { redactSecrets } from '../../../core/logging/index.js';
import { recordPrompt, type RecordedPrompt } from './recorded-prompt.js';

const GROUNDING = { agentName: 'Ada', facts: [], examples: [], memories: [] };

function record(messages: readonly ChatMessage[]): RecordedPrompt {
  return recordPrompt(new ScriptedModel(), { messages, grounding: GROUNDING, maxOutputTokens: 5, toolChoice: 'none' }, 7);
}

describe('a recorded prompt', () => {
  it('drops the oldest messages first, with a note, and keeps the system message and the newest ones', () => {
    const { messages, omittedCharacters } = record([
      { role: 'system', content: 's'.repeat(90_000) },
      { role: 'user', content: 'oldest' },
      { role: 'assistant', content: 'o'.repeat(50_000) },
      { role: 'user', content: 'n'.repeat(90_000) },
    ]);
    expect(messages.map(({ content }) => content.slice(0, 1))).toEqual(['s', '[', 'o', 'n']);
    expect(messages.map(({ content }) => content.length > 80_000)).toEqual([true, false, false, true]);
    expect(messages[1]?.content).toBe('[… 6 characters omitted]');
    expect(messages[2]?.content).toBe(`${'o'.repeat(20_000)}[… 30000 characters omitted]`);
    expect(omittedCharacters).toBe(30_006);
  });

  it('leaves no part of a secret at a cut', () => {
    redactSecrets(['a-secret-at-the-cut']);
    const { messages } = record([{ role: 'system', content: `${'x'.repeat(199_995)}a-secret-at-the-cut` }]);
    expect(messages[0]?.content).not.toContain('a-sec');
  });

  it('has the names and sizes of files instead of their content', () => {
    const files = [{ name: 'cat.png', mediaType: 'image/png', data: new Uint8Array(3) }];
    expect(record([{ role: 'user', content: 'Look', files }])).toEqual({
      at: 7,
      provider: 'scripted',
      model: 'scripted',
      messages: [{ role: 'user', content: 'Look', files: [{ name: 'cat.png', mediaType: 'image/png', size: 3 }] }],
      tools: [],
      parameters: { maxOutputTokens: 5, toolChoice: 'none' },
      omittedCharacters: 0,
    });
  });
});
