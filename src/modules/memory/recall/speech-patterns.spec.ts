import { describe, expect, it } from '@jest/globals';
import { informationOf } from './questions.js';

describe('informationOf in other languages', () => {
  it.each([
    ...[
      'Wo wohne ich',
      'Weißt du noch, wer mein Zahnarzt ist',
      'Übersetze das ins Englische.',
      'Erklär mir bitte die Börse.',
      'Vielen Dank dir',
    ],
    ...['Comment s’appelle ma sœur ?', 'Explique-moi la photosynthèse.', 'Bonjour à tous', 'Peux-tu chercher un hôtel'],
    ...['¿Dónde vivo?', 'Cómo se llama mi perro', 'Escribe un poema sobre el mar.', 'Hola, buenos días'],
    ...['Come si chiama mio figlio', 'Dimmi una barzelletta.', 'Onde é a estação', 'Hoe heet mijn hond', 'Napisz wiersz o morzu.'],
    ...['Где я живу', 'Напиши стихотворение о море.', 'Расскажите, пожалуйста, анекдот.', 'Доброе утро', 'Як мене звати'],
    ...['我的猫叫什么名字？', '我儿子几岁', '写一首关于秋天的诗。', '把这句话翻译成法语。', '谢谢，很有用', '你好'],
    ...['猫の名前は何ですか', '秋についての詩を書いて。', 'フランス語に訳してください。', 'おはようございます', 'なぜ空は青いの'],
    ...['우리 딸 이름이 뭐예요', '가을에 대한 시를 써 줘요.', '이 문장을 번역해 주세요.', '안녕하세요'],
    ...['แมวของฉันชื่ออะไร', 'ช่วยแปลเป็นภาษาอังกฤษหน่อยครับ', 'ทำไมท้องฟ้าเป็นสีฟ้า', 'สวัสดีครับ'],
    ...['هل تتذكر اسمي', 'اكتب قصيدة عن البحر', 'मेरी बिल्ली का नाम क्या है', 'Kedimin adı nedir', 'Siapa nama kucing saya'],
  ])('is low for a question, an order, or a greeting: %j', (text) => {
    expect(informationOf(text)).toBeLessThanOrEqual(0.2);
  });

  it.each([
    ...[
      'Meine Tochter ist allergisch gegen Soja.',
      'Als ich klein war, wohnte ich in Rom.',
      'Wo ich wohne, ist es ruhig.',
      'Mache ich mir oft.',
    ],
    ...[
      'Ma sœur s’appelle Anne.',
      'J’habite à Lyon.',
      'Vivo en Sevilla desde mayo.',
      'No como carne nunca.',
      'Mio fratello lavora a Torino.',
    ],
    ...[
      'Mój pies nazywa się Burek.',
      'Nie jem mięsa.',
      'Мою кошку зовут Мурка.',
      'Когда я был маленьким, я жил в Риме.',
      'Как раз купил нам дом.',
    ],
    ...['我吃素。', '我儿子讨厌芦笋。', '给我妈妈买了一束花。', '我是计算机专业毕业的。', '比较喜欢喝茶，我不喝咖啡。'],
    ...['息子はアスパラガスが大嫌いです。', '私は京都に住んでいます。', '母は看護師です。', '前はよく釣りに行っていました。'],
    ...['딸은 딸기 알레르기가 있어요.', '엄마가 매일 도시락을 싸 줘요.', '저는 채식주의자예요.'],
    ...['ฉันแพ้กุ้ง', 'แม่ชอบดอกกุหลาบ', 'ขอแนะนำสามีของฉัน เขาชื่อสมชาย', 'أنا أسكن في القاهرة', 'मेरी बहन दिल्ली में रहती है।'],
  ])('is high for a statement: %j', (text) => {
    expect(informationOf(text)).toBeGreaterThan(0.2);
  });

  it.each(['我对青霉素过敏。', 'Моя сестра живёт в Туле.', '兄は東京で働いています。', 'Mi hermana vive en Lima.'])(
    'is highest for the author: %j',
    (text) => {
      expect(informationOf(text)).toBe(1);
    },
  );
});
