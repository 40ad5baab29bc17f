import { describe, expect, it } from '@jest/globals';
import { processorMs } from '../../../../test/support/work-units.js';
import { informationOf, isPlainQuestion, refersBack, tells } from './questions.js';

describe('questions', () => {
  it.each([
    'What is my cat called?',
    'what is my cat called',
    'Where do I live?',
    'Do you know my name?',
    'And who is she?',
    'Please, when is my appointment?',
    'How many cats do I have?',
  ])('only ask: %j', (text) => {
    expect(isPlainQuestion(text)).toBe(true);
    expect(tells(text)).toBe(false);
  });

  it.each([
    'My cat is called Otto.',
    'When I was small I lived in Rome.',
    'Could you book a table for my anniversary on 3 May?',
    'I moved, can you believe it?',
    'What I like most is tea.',
    'Do you know what, my cat is ill.',
  ])('may also contain a statement: %j', (text) => {
    expect(isPlainQuestion(text)).toBe(false);
  });

  it.each([
    ['My cat is called Otto.', 1],
    ['My cat is called Otto. What is yours called?', 1],
    ['The council met again today.', 0.7],
    ['Give me a riddle about the sea.', 0.2],
    ['What is the capital of Peru?', 0.2],
    ['Hello there', 0.1],
    ['Mein Kater heißt Otto.', 1],
    ['Wie heißt mein Kater?', 0.2],
  ])('say something about their author: %j: %d', (text, information) => {
    expect(informationOf(text)).toBe(information);
  });

  it.each([
    ['And where does she live?', true],
    ['What about the dog?', true],
    ['How old is it now?', true],
    ['Really?', true],
    ['Where does my sister live at present?', false],
    ['Und wo wohnt sie jetzt gerade?', true],
    ['Wo wohnt meine Schwester im Moment?', false],
    ['А где она теперь живёт?', true],
    ['她现在住在哪里？', true],
    ['狗呢？', true],
    ['我姐姐现在住在哪里？', false],
    ['その人はどこに住んでいますか？', true],
    ['私の姉は今どこに住んでいますか？', false],
  ])('refer to an earlier message: %j: %j', (text, refers) => {
    expect(refersBack(text)).toBe(refers);
  });

  it('are found in a long text without delay', async () => {
    const text = `${'and so on '.repeat(20_000)}?`;
    expect(await processorMs(() => expect(informationOf(text)).toBeLessThanOrEqual(1))).toBeLessThan(1000);
  });
});
