import { describe, expect, it } from '@jest/globals';
import { said } from '../../../../test/support/offline-characters.js';
import { answerFromTold, toldStatements } from './told.js';

function answer(question: string, ...statements: string[]): string | undefined {
  return answerFromTold(question, toldStatements(said(...statements), 'Iris'));
}

describe('answerFromTold', () => {
  it.each([
    ['the newest wins', 'Where do I live?', ['I live in Lisbon.', 'I moved to Porto last week.'], 'You moved to Porto last week.'],
    ['plans do not replace', 'Where do I live?', ['I live in Graz.', "I'm moving to Berlin next month."], 'You live in Graz.'],
    ['the past does not replace', 'Where do I work?', ['I work at a bank.', 'I used to work at a school.'], 'You work at a bank.'],
    ['corrections', 'What is my name?', ['My name is Ana.', 'Actually, my name is Anna, not Ana.'], 'Your name is Anna.'],
    ['a clause of a sentence', 'What are my hobbies?', ['Hi, my name is Ana and I love hiking.'], 'You love hiking.'],
    ['kinds', 'Do I have a pet?', ['My cat is called Otto.'], 'Your cat is called Otto.'],
    ['verbs alone', 'What do I study?', ['I study chemistry.'], 'You study chemistry.'],
    ['others', 'Where does my sister live?', ['I live in Rome.', 'My sister lives in Bonn.'], 'Your sister lives in Bonn.'],
    ['what was before', 'Where did I live before?', ['I live in Lisbon.', 'I moved to Porto last week.'], 'You live in Lisbon.'],
    ['somebody unnamed', 'What is her name?', ['I was born in Faro.'], undefined],
    ['another animal', 'What is my dog called?', ['My cat is called Otto.'], undefined],
    ['nothing', 'How old am I?', ['My birthday is on 3 May.'], undefined],
    ['questions state nothing', 'What is my name?', ['Is my name Bob?'], undefined],
    ['quotations', 'What did my boss say?', ['My boss said "no".'], 'You told me: "My boss said "no""'],
  ])('%s: %s', (_, question, statements, expected) => {
    expect(answer(question, ...statements)).toBe(expected);
  });

  it("lists a user's statements without replaced ones", () => {
    const statements = ['I am Kim.', 'I live in Graz.', 'My dog is called Rex.', 'What can you do?', 'I live in Linz now.'];
    expect(answer('What do you know about me?', ...statements)).toBe('Your name is Kim. Your dog is called Rex. You live in Linz now.');
  });
});
