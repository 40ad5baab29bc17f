import { afterAll, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { LanguageDetector } from '../language-detector.js';
import { answerInForeignLanguage, foreignLanguage } from './languages.js';

const detector = new LanguageDetector(new FakeClock());
const detect = (text: string, languages: readonly string[]) => detector.detect(text, languages, new AbortController().signal);

afterAll(() => detector.close());

describe('foreignLanguage', () => {
  it.each([
    ['de', 'Wie geht es dir?', 'Guten Morgen'],
    ['fr', 'Comment tu t’appelles ?', 'Je voudrais créer un agent'],
    ['es', '¿Cómo estás?', 'hola'],
    ['pt', 'Qual é o seu nome?', 'Preciso de ajuda, por favor'],
    ['it', 'Come ti chiami?', 'Parli italiano?'],
    ['nl', 'Hoe heet je?', 'Kun je me helpen?'],
    ['pl', 'Jak masz na imię?', 'Gdzie mieszkasz?'],
    ['ru', 'Как тебя зовут?', 'Привет'],
    ['uk', 'Як тебе звати?', 'Де ти живеш?'],
    ['tr', 'Adın ne?', 'Nasılsın?'],
    ['ar', 'ما اسمك؟', 'كيف حالك؟'],
    ['hi', 'आपका नाम क्या है?', 'आप कैसे हैं?'],
    ['zh', '你叫什么名字？', '你好'],
    ['ja', 'あなたの名前は何ですか？', 'こんにちは'],
    ['ko', '이름이 뭐예요?', '안녕하세요'],
  ])('recognizes %s: %s, %s', async (language, ...texts) => {
    for (const text of texts) {
      expect(await foreignLanguage(text, detect)).toBe(language);
      expect((await answerInForeignLanguage(text, detect))?.answer).not.toMatch(/^$|undefined/);
    }
  });

  it.each(
    (
      'ok|hi|no|si|lol|thx|Otto|Ana Silva Costa|My name is José García|I live in São Paulo|I hate mondays|My boss gave me a raise|I am Dutch.|' +
      'npm start|docker run -p 3000|git commit -m "fix"|const x = 1;|SELECT * FROM users|asdf qwer|abc def ghi|opening hours|gluten free|' +
      'What does "Guten Tag" mean?|I like crème brûlée|wat time u close|me too|no problem|log as json to loki|Citroën|🙂|10:30'
    ).split('|'),
  )('detects no other language in %j', async (text) => {
    expect(await foreignLanguage(text, detect)).toBeUndefined();
  });
});
