import { describe, expect, it } from '@jest/globals';
import { WordList, wordsOf } from './words.js';

const everybody = (): boolean => true;

function listOf(texts: Record<string, string>, capacity = 100): WordList {
  const list = new WordList(capacity);
  for (const [id, text] of Object.entries(texts)) list.add(id, null, text);
  return list;
}

describe('wordsOf', () => {
  it('takes each word that tells something, without its ending', () => {
    expect(wordsOf('My dog is allergic to the allergies of dogs!')).toEqual(['dog', 'allerg', 'dogs']);
  });

  it('knows words of other scripts and numbers', () => {
    expect(wordsOf('Größe 4711 в Москве')).toEqual(['größe', '4711', 'москве']);
  });

  it('finds none in what says nothing', () => {
    expect(wordsOf('   ?! and what of it')).toEqual([]);
  });
});

describe('WordList', () => {
  const texts = {
    rex: 'My dog is called Rex and eats chicken',
    paris: 'I moved to Paris in spring',
    weather: 'The weather in Paris was fine and the dog liked it',
    work: 'Work was hard today',
  };

  it('prefers rare words and many of them', () => {
    expect(listOf(texts).find('How was the weather in Paris?', 2, everybody)).toEqual(['weather']);
    expect(listOf(texts).find('what does my dog eat, chicken?', 1, everybody)).toEqual(['rex']);
  });

  it('finds nothing when no word is shared', () => {
    expect(listOf(texts).find('quantum chromodynamics', 3, everybody)).toEqual([]);
    expect(new WordList(5).find('dog', 3, everybody)).toEqual([]);
  });

  it('leaves out what the audience may not hear, and is not led by it', () => {
    const found = listOf(texts).find('Paris weather dog', 3, (id) => id !== 'weather');
    expect(found).toEqual(['paris', 'rex']);
  });

  it('keeps the newest texts only', () => {
    const list = listOf({ a: 'apples', b: 'pears', c: 'apples' }, 2);
    list.add('c', null, 'pears');
    expect(list.size).toBe(2);
    expect(list.find('apples pears', 5, everybody)).toEqual(['c', 'b']);
    for (let index = 0; index < 9; index += 1) list.add(`n${index}`, null, 'plums');
    expect(list.worn).toBe(true);
  });
});
