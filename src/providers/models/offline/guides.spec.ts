import { describe, expect, it } from '@jest/globals';
import { recentLines } from '../../../core/logging/index.js';
import { Guides } from './guides.js';

const guides = new Guides();

describe('Guides', () => {
  it.each([
    ['How do I add a plugin?', 'docs/guides/write-a-plugin.md', 'A plugin is'],
    ['How do I write a webhook?', 'docs/guides/write-a-plugin.md, "A webhook"', 'webhook'],
    ['How do I restore a backup?', 'docs/guides/backups.md, "Restore"', 'parley restore'],
    ['What happens when the disk is full?', 'docs/guides/troubleshoot.md, "Disk failures"', 'STORAGE_FULL'],
    ['How do I upgrade?', 'docs/guides/upgrade.md, "Upgrade"', 'Install the new version'],
    ['Is there a Python client?', 'docs/guides/clients.md', 'python'],
    ['How do I get a better voice?', 'docs/guides/speech.md', ''],
    ['How do I start this server?', 'README.md, "Start"', 'npm start'],
    ['What is Parley?', 'README.md', 'self-hosted runtime'],
    ['What does SERVER_PORT do?', 'docs/reference/config.md', '3000'],
    ['What does STORAGE_FULL mean?', 'docs/reference/errors.md', '507'],
  ])('%s', async (question, file, text) => {
    const answer = await guides.answer(question);
    expect(answer).toContain(`See [${file}`);
    expect(answer).toContain(text);
    expect(answer!.length).toBeLessThan(700);
  });

  it.each([
    ['plugin', 'docs/guides/write-a-plugin.md', 'A plugin is a file'],
    ['agent', 'docs/architecture.md, "Terms"', 'a character with a model'],
  ])('defines %s', async (term, file, text) => {
    const answer = await guides.define(term);
    expect(answer).toContain(`See [${file}`);
    expect(answer).toContain(text);
  });

  it.each(['What is the capital of Australia?', 'What does NO_SUCH_SETTING do?', 'How do I bake bread?'])(
    'does not match %j',
    async (question) => {
      expect(await guides.answer(question)).toBeUndefined();
    },
  );

  it('returns nothing, and logs why once, when the documents are not installed', async () => {
    recentLines.clear();
    const absent = new Guides(undefined, '/nowhere/');
    expect(await absent.answer('How do I add a plugin?')).toBeUndefined();
    expect(await absent.answer('How do I add a plugin?')).toBeUndefined();
    const lines = [...recentLines.newestFirst()];
    expect(lines.map(({ msg }) => msg)).toEqual([expect.stringContaining('answers without them')]);
  });
});
