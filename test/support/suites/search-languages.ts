import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Reader, UnitOfWork, type Engine } from '../../../src/core/database/index.js';
import { ApiClient } from '../api-client.js';
import { createTestApp, type TestApp } from '../create-test-app.js';
import { eventually } from '../memory-app.js';
import { FakeClock } from '../fake-clock.js';

const USER = '11111111-1111-1111-1111-111111111111';
const CHANNELS = '/api/messaging/channels';
const SEARCH = '/api/messaging/messages/search';

/** Messages, and searches that find them and no other message. */
const MESSAGES: readonly [language: string, text: string, searches: readonly string[]][] = [
  ['Chinese', '我养了一只猫，名叫小黑。', ['猫', '小黑', '一只猫', '"名叫小黑"', '养']],
  ['Chinese of Taiwan', '下個禮拜我們要去臺北看展覽', ['展覽', '臺北', '"去臺北"']],
  ['Japanese', '昨日、東京タワーへ行った。とても楽しかった。', ['東京', 'タワー', 'ﾀﾜｰ', '東京タワー', '行く', '楽しい', '"東京タワーへ"']],
  ['Korean', '주말에 할머니 댁에서 고양이를 봤어요', ['고양이', '고양이가', '할머니', '"할머니 댁"', '봤어요']],
  ['Thai', 'พรุ่งนี้ฉันจะพาแมวไปหาหมอ ห้อง ๔๒', ['42', '๔๒', 'แมว', 'หมอ', 'พรุ่งนี้']],
  ['Russian', 'Вчера купил интересную книгу о ёжиках', ['книга', 'КНИГИ', 'интересная', 'ёжик', 'ежики', '"интересную книгу"']],
  [
    'German',
    'Die alten Häuser am Fluß gehören meiner Großmutter',
    ['Haus', 'hauser', 'haeuser', 'Fluss', 'alte', 'großmutter', 'Grossmutter'],
  ],
  ['French', 'Nous avons mangé des crêpes à la fête de l’école', ['crepe', 'CRÊPES', 'ecole', 'fête', 'fetes']],
  ['Spanish', 'Mañana llevo los perros al médico', ['perro', 'manana', 'medico', 'médicos']],
  ['Polish', 'Kupiłem nową książkę o żółwiach', ['książka', 'ksiazki', 'zolw']],
  ['Turkish', 'İstanbul’daki evimizin bahçesi çok güzeldi', ['istanbul', 'bahce', 'güzel']],
  ['Greek', 'Αύριο πάμε στη θάλασσα με τα παιδιά', ['θαλασσα', 'ΠΑΙΔΙΆ']],
  ['Arabic', 'اشتريت الكِتاب من المكتبة', ['كتاب', 'الكتاب', 'مكتبة']],
  ['Hebrew', 'הילדים אוהבים את הַשּׁוֹקוֹלָד', ['השוקולד', 'הילדים']],
  ['Hindi', 'मेरे कुत्ते का नाम शेरू है', ['कुत्ते', 'शेरू']],
  ['Vietnamese', 'Hôm qua tôi ăn phở bò ở Hà Nội', ['phở', 'pho', '"Hà Nội"', 'ha noi']],
  ['English', 'The naïve cities were visited by two cats', ['naive', 'city', 'cat', 'visit']],
  ['full-width letters', 'ＡＢＣ社の請求書', ['abc', '請求書']],
];

const UNFOUND: readonly [text: string, search: string][] = [
  ['他们在北方的京剧院', '"北京"'],
  ['I bought a carpet', 'car'],
  ['หมาของฉันชื่อดำ', 'แมว'],
  ['Книжный шкаф', 'кошка'],
];

/** What a search of messages finds in the languages of the world, on either engine. */
export function describeSearchLanguages(engine: Engine): void {
  describe(`search in many languages on ${engine}`, () => {
    const clock = new FakeClock(Date.now());
    let test: TestApp;
    let api: ApiClient;
    let channelId: string;

    beforeAll(async () => {
      test = await createTestApp({ engine, clock });
      api = new ApiClient(() => test.url);
      channelId = (await api.post(CHANNELS, { name: 'room', participantCentralUserIds: [USER] })).body.data.id;
      for (const text of [...MESSAGES.map(([, said]) => said), ...UNFOUND.map(([said]) => said)]) await say(text);
    });
    afterAll(() => test.close());

    const say = async (content: string): Promise<string> =>
      (await api.post(`${CHANNELS}/${channelId}/messages`, { author_id: USER, content })).body.data.id;
    const search = async (query: string): Promise<string[]> =>
      (await api.post(SEARCH, { query, channelId })).body.data.messages.map(({ content }: { content: string }) => content);

    it.each(MESSAGES)('finds a message in %s', async (_, text, searches) => {
      for (const query of searches) expect([query, await search(query)]).toEqual([query, [text]]);
    });

    it.each(UNFOUND)('does not take %s for %s', async (text, query) => {
      expect(await search(query)).not.toContain(text);
    });

    it('finds an edited message by its new words only', async () => {
      const id = await say('Я купил велосипед');
      expect(await search('велосипеды')).toHaveLength(1);
      await api.patch(`/api/messaging/messages/${id}`, { content: 'Je vends mon théâtre' });
      expect([await search('велосипеды'), await search('theatre')]).toEqual([[], ['Je vends mon théâtre']]);
      await api.patch(`/api/messaging/messages/${id}`, { content: 'plain' });
      expect(await search('theatre')).toEqual([]);
    });

    it('indexes messages of an earlier version, also after a stop in between', async () => {
      const { reader, unitOfWork } = { reader: test.app.get(Reader), unitOfWork: test.app.get(UnitOfWork) };
      const [half] = await reader.rows<{ pos: number }>('SELECT pos FROM messages ORDER BY pos LIMIT 1 OFFSET 8', []);
      await unitOfWork.commit([
        { sql: 'UPDATE messages SET words = NULL', params: [] },
        { sql: `INSERT INTO search_backlog (name, position) VALUES ('messages', ?)`, params: [String(half?.pos)] },
      ]);
      expect(await search('猫')).toEqual([]);
      expect(await search('visited')).toHaveLength(1);
      const backlog = async (): Promise<object[]> => test.app.get(Reader).rows('SELECT name FROM search_backlog', []);
      await test.restart();
      await eventually(async () => {
        clock.advance(1000);
        return (await backlog()).length === 0;
      });
      expect(await search('請求書')).toHaveLength(1);
      expect(await search('猫')).toEqual([]);
    });
  });
}
