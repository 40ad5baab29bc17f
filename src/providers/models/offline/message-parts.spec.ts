import { describe, expect, it } from '@jest/globals';
import { processorMs } from '../../../../test/support/work-units.js';
import { messageParts } from './message-parts.js';
import { subjectOf } from './question-subject.js';

describe('messageParts', () => {
  it.each([
    ['My cat is called Otto.', ['statement: My cat is called Otto.']],
    ['im a nurse', ["statement: I'm a nurse"]],
    ['Tomorrow I fly to Rome.', ['statement: Tomorrow I fly to Rome.']],
    ['Berlin is the capital of Germany.', ['statement: Berlin is the capital of Germany.']],
    ['Remember that my flight leaves at 9.', ['statement: my flight leaves at 9.']],
    ['When I was small I had a dog.', ['statement: When I was small I had a dog.']],
    ['what is my dog called', ['question: what is my dog called']],
    ['Do you know where I live?', ['question: where I live?']],
    ['Could you tell me when you open?', ['question: when you open?']],
    ['Iris, where are you?', ['question: where are you?']],
    ['wheres ur shop', ["question: where's your shop"]],
    ['I want to order a cake', ['wish: I want to order a cake']],
    ['Write a poem about the sea', ['task: Write a poem about the sea']],
    ['What is 12 * 7?', ['task: What is 12 * 7?']],
    ['what time is it?', ['task: what time is it?']],
    ['opening hours', ['words: opening hours']],
    ['Thanks!', ['talk: Thanks!']],
    ['you are useless', ['talk: you are useless']],
    [
      'Hi Iris, my name is Ana and I love hiking. What can you do?',
      ['talk: Hi', 'statement: my name is Ana and I love hiking.', 'talk: What can you do?'],
    ],
    ['My name is Tom, what is my name?', ['statement: My name is Tom', 'question: what is my name?']],
    ['That helps, thanks! Where do I live?', ['talk: That helps!', 'talk: thanks', 'question: Where do I live?']],
    ['Dr. Smith is my doctor.', ['statement: Dr. Smith is my doctor.']],
    ['My boss wants numbers: how many chats were there?', ['statement: My boss wants numbers', 'question: how many chats were there?']],
    ['We need it for a shop, is it suitable?', ['question: We need it for a shop, is it suitable?']],
    ['?!', []],
  ])('%j', (message, parts) => {
    expect(messageParts(message, 'Iris').map(({ kind, text }) => `${kind}: ${text}`)).toEqual(parts);
  });

  it.each(['Jean-Luc', "O'Neil", 'Ada, PhD', 'R2 (the [first]) $1', 'C++ \\ {x}|y^z*?'])(
    'reads a message that addresses an agent called %s',
    (name) => {
      expect(messageParts(`${name}, where are you?`, name)).toMatchObject([{ text: 'where are you?' }]);
    },
  );

  it('reads repetitions quickly', async () => {
    for (const text of ['ok ', 'k', 'ha', 'yes please ', 'very ', 'I think ', 'and my ', 'Ana and ', '(', '1 + ']) {
      expect(await processorMs(() => messageParts(`${text.repeat(4000 / text.length)}x`, 'Iris'))).toBeLessThan(500);
    }
  });
});

describe('subjectOf', () => {
  it.each([
    ['What is my name?', 'user'],
    ['Where do I live?', 'user'],
    ['Do I like coffee?', 'user'],
    ['What do you know about me?', 'user'],
    ['What is your name?', 'agent'],
    ['Where do you live?', 'agent'],
    ['Do you like my cat?', 'agent'],
    ['How do I get there?', 'world'],
    ['Until when can I return a kettle?', 'world'],
    ['Can I pay by card?', 'world'],
    ['Where is my data?', 'world'],
    ['Which Node version do I need?', 'world'],
    ['Why is the sky blue?', 'world'],
  ])('returns the subject: %s asks about the %s', (question, subject) => {
    expect(subjectOf(question)).toBe(subject);
  });
});
