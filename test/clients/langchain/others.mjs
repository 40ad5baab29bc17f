// Chains, options, embeddings, and responses that go on from each other.
import assert from 'node:assert/strict';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { OpenAIEmbeddings } from '@langchain/openai';
import { KEY } from '../support/scripted-server.mjs';

const likeness = (one, other) => one.reduce((sum, value, index) => sum + value * other[index], 0);

export const others = {
  async 'chains a template, a model and a parser'({ openai, server }) {
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', 'You speak {language}.'],
      ['human', '{question}'],
    ]);
    const chain = prompt.pipe(openai()).pipe(new StringOutputParser());
    assert.equal(await chain.invoke({ language: 'German', question: 'Tee?' }), 'You said: Tee?');
    assert.match(server.asked().messages[0].content, /You speak German\./);
    let text = '';
    for await (const part of await chain.stream({ language: 'German', question: 'Noch Tee?' })) text += part;
    assert.equal(text, 'You said: Noch Tee?');
  },

  async 'passes limits, variation and stop texts on'({ openai, server }) {
    await openai({ temperature: 0.25, topP: 0.5, maxTokens: 40, stop: ['END'] }).invoke('Briefly?');
    const { temperature, top_p: topP, max_completion_tokens: most, max_tokens: limit, stop } = server.asked();
    assert.deepEqual([temperature, topP, most ?? limit, stop], [0.25, 0.5, 40, ['END']]);
  },

  async 'goes on from a previous response'({ openai, server }) {
    const model = openai({ useResponsesApi: true });
    const first = await model.invoke('I am Bea.');
    const second = await model.invoke('Who am I?', { previous_response_id: first.response_metadata.id });
    assert.equal(second.text, 'You said: Who am I?');
    assert.deepEqual(
      server.prompt().map(({ content }) => content),
      ['I am Bea.', 'You said: I am Bea.', 'Who am I?'],
    );
  },

  async 'embeds texts by their meaning'({ server }) {
    const embeddings = new OpenAIEmbeddings({ model: 'Ada', apiKey: KEY, configuration: { baseURL: `${server.url}/v1` } });
    const documents = await embeddings.embedDocuments(['She has a cup of tea.', 'The engine of the car is broken.']);
    const question = await embeddings.embedQuery('I drink green tea.');
    const [tea, car] = documents.map((vector) => likeness(vector, question));
    assert.equal(question.length, 512);
    assert.ok(tea > car + 0.1, `${tea} and ${car}`);
  },
};
