import { VectorsRepository } from '../../../src/modules/memory/vectors/vectors.repository.js';
import { ADA, BOB } from '../../support/create-test-app.js';
import { FakeEmbedding } from '../../support/fake-embedding.js';
import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Stage } from '../../support/golden-prompts/stage.js';
import { eventually, isIndexing } from '../../support/memory-app.js';

const HOUR_MS = 3_600_000;
const TOLD = ['My dog is called Rex.', 'The gardener wears yellow boots.', 'The dog of my sister is called Max.'];
const embeddings = new FakeEmbedding();

/** Recall with an encoder, to which texts are near each other that share words. */
export const MEANINGS: GoldenGroup = {
  name: 'meanings',
  app: { embeddings: () => embeddings },
  conversations: {
    'memories by meaning': async (stage) => {
      await tellElsewhere(stage, TOLD);
      await stage.say(await stage.session(), 'What is my dog called?');
    },
    'memories by meaning beyond their budget': async (stage) => {
      await tellElsewhere(stage, TOLD);
      await stage.withSettings({ recallTokens: 65 }, async () => stage.say(await stage.session(), 'What is the dog of my sister called?'));
    },
    'memories by meaning for a question that refers to what was said before': async (stage) => {
      await tellElsewhere(stage, ['Marlene repairs violins in Cremona.', ...TOLD]);
      const talk = await stage.direct();
      await stage.tell(talk, 'I have to think of Marlene today.');
      await embedded(stage);
      await stage.withSettings({ recallTokens: 52 }, () => stage.say(talk, 'And where does she work?'));
    },
    'memories by words while the encoder fails': async (stage) => {
      await tellElsewhere(stage, TOLD);
      embeddings.failWith = () => new Error('the encoder is away');
      await stage.say(await stage.session(), 'What is my dog called?');
      embeddings.failWith = undefined;
    },
    'pieces of a document by meaning': async (stage) => {
      await tellElsewhere(stage, TOLD, BOB.id);
      const path = `/api/agents/${BOB.id}/knowledge`;
      const text = '# Dogs\n\nA dog needs a walk.\n\n# Boots\n\nBoots need wax.';
      const { id } = await stage.sent(stage.api.post(path, { name: 'advice.md', text }));
      await eventually(async () => (await stage.sent(stage.api.get(`${path}/${id}`))).status === 'ready');
      await embedded(stage);
      await stage.say(await stage.session({ agentId: BOB.id }), 'What does a dog need?');
    },
  },
};

async function tellElsewhere(stage: Stage, texts: readonly string[], agentId = ADA.id): Promise<void> {
  for (const text of texts) await stage.tell(await stage.session({ agentId }), text);
  await embedded(stage);
}

/** Lets the server be quiet until all memories have vectors, and ends at the same time at each run. */
async function embedded({ test, clock }: Stage): Promise<void> {
  const begun = clock.now();
  const vectors = test.app.get(VectorsRepository, { strict: false });
  await eventually(async () => {
    if (!isIndexing(test)) clock.advance(1000);
    return !(await vectors.hasPending()) && !isIndexing(test);
  });
  clock.set(begun + HOUR_MS);
}
