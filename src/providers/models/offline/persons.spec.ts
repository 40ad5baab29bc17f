import { describe, expect, it } from '@jest/globals';
import { acknowledge, toldName } from './acknowledgements.js';
import { turnRound } from './persons.js';

describe('turnRound', () => {
  it.each([
    ['I moved to Porto last week.', 'You moved to Porto last week.'],
    ["i'm 41 and I've got two sons", 'You are 41 and you have got two sons.'],
    ['I was never there', 'You were never there.'],
    ['My father was a baker.', 'Your father was a baker.'],
    ['We live in our own house, it is mine.', 'You live in your own house, it is yours.'],
    ['I like you and your bread', 'You like me and my bread.'],
    ['I think you are funny', 'You think I am funny.'],
    ['She told me that you were closed!', 'She told you that I was closed.'],
    ['I live in the U.S.A. now', 'You live in the U.S.A. now.'],
  ])('%j', (statement, answer) => {
    expect(turnRound(statement)).toBe(answer);
  });

  it.each(['He said "I am late" to me.', 'I was at home and was tired.', `I like ${'cakes and '.repeat(50)} bread`])(
    'leaves an ambiguous text unchanged: %j',
    (statement) => {
      expect(turnRound(statement)).toBeUndefined();
    },
  );
});

describe('acknowledge', () => {
  it.each([
    [['My cat is called Otto.'], 'Otto, a good name for a cat. I will remember that.'],
    [['I have an old hamster named Rolf'], 'Rolf, a good name for a hamster. I will remember that.'],
    [['my name is ana and I love hiking'], 'Nice to meet you, Ana. You love hiking. I will remember that.'],
    [['my name is Anna, not Ana.'], 'Thank you for the correction, Anna. I will remember that.'],
    [['My dog died yesterday.'], 'I am sorry to hear that. I will remember that.'],
    [['I am sad today.'], 'I am sorry to hear that. If I can look something up for you, ask me.'],
    [['I passed my exam!'], 'Congratulations! You passed your exam. I will remember that.'],
    [['I live in Lisbon.', 'My sister is a nurse.'], 'You live in Lisbon. Your sister is a nurse. I will remember that.'],
    [['Berlin is big.'], 'I see. I will remember that.'],
  ])('%j', (statements, answer) => {
    expect(acknowledge(statements)).toBe(answer);
  });
});

describe('toldName', () => {
  it.each([
    ['My name is María José', 'María José'],
    ["I'm Carla, nice to meet you", 'Carla'],
    ['call me Max', 'Max'],
    ['I am Dutch.', undefined],
    ['I am tired', undefined],
    ['My name day is in June', undefined],
  ])('finds the name in %j: %j', (statement, name) => {
    expect(toldName(statement)).toBe(name);
  });
});
