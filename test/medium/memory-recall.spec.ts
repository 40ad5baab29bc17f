import { expect, it, jest } from '@jest/globals';
import { Reader } from '../../src/core/database/index.js';
import { describeConversationMemory } from '../support/suites/conversation-memory.js';
import { describeRecall } from '../support/suites/memory-recall.js';
import { describeRecallTime } from '../support/suites/recall-time.js';
import { message, RecallFixture } from '../support/recall-fixture.js';

describeConversationMemory('sqlite');
describeRecall('sqlite');
describeRecallTime('sqlite');

it('recall on sqlite looks up the memories that it has found, and does not read all of the agent', async () => {
  const fixture = new RecallFixture();
  const { test, room } = await fixture.open('sqlite');
  try {
    await fixture.record(room, message(1, 'my dog is called Rex'));
    await fixture.embedAll();
    const reads = jest.spyOn(Reader.prototype, 'rows');
    expect(await fixture.texts('my dog', { broad: true })).toEqual(['my dog is called Rex']);
    const statements = new Set(reads.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes('memories')));
    reads.mockRestore();
    expect(statements.size).toBeGreaterThan(0);
    const plans = await Promise.all([...statements].map((sql) => test.rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)));
    expect(plans.flat().filter(({ detail }) => /^SCAN (?:m|memories)\b|ix_memories_agent \(agent_id=\?\)/.test(detail))).toEqual([]);
  } finally {
    await test.close();
  }
});
