/** A language that the responder recognizes in order to say that it only speaks English. */
interface Language {
  /** In that language: I only speak English, please write in English. */
  readonly answer: string;
  /** Short greetings that mean this language by themselves, separated by a comma and a space. */
  readonly greetings: string;
  /** Frequent words of short sentences, for which letters alone are not enough. */
  readonly common: string;
}

/** By ISO 639-1 code. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  de: {
    answer: 'Leider verstehe ich nur Englisch. Bitte schreiben Sie mir auf Englisch.',
    greetings: 'guten tag, guten morgen, guten abend, danke, danke schön, bitte, tschüss, auf wiedersehen, grüß gott, servus, moin',
    common:
      'verstehe bitte hilfe helfen brauche möchte ich du er wir ihr sie ist sind bin bist der die das ein eine und nicht mein meine dein wie wer wo wann warum kannst hast habe heißt heiße mir dir kostet was es ja nein geht gibt deutsch',
  },
  fr: {
    answer: "Je ne comprends que l'anglais. Écrivez-moi en anglais, s'il vous plaît.",
    greetings: 'bonjour, bonsoir, salut, merci, merci beaucoup, au revoir, coucou, bonne nuit',
    common:
      'appelle habite aide voudrais besoin aider créer je tu il elle nous vous est suis es sont le la les un une et pas mon ma mes ton ta comment qui où quand pourquoi quel quelle que quoi ça va avec dans bonjour merci français',
  },
  es: {
    answer: 'Solo entiendo inglés. Por favor, escríbeme en inglés.',
    greetings: 'hola, buenos días, buenos dias, buenas tardes, buenas noches, gracias, muchas gracias, adiós, adios, hasta luego',
    common:
      'necesito ayuda por favor quiero yo tú él ella nosotros es soy eres está esta estás estoy el la los las un una y no mi tu me te se cómo como quién donde dónde cuándo cuando qué que cuánto cuesta con en vivo llamo llamas tengo puedes hola gracias español',
  },
  pt: {
    answer: 'Só entendo inglês. Por favor, escreva em inglês.',
    greetings: 'olá, ola, bom dia, boa tarde, boa noite, obrigado, obrigada, tchau, oi',
    common:
      'preciso ajuda por favor quero eu você ele ela nós é sou está estou o a os as um uma e não meu minha seu sua como quem onde quando que qual quanto custa com em moro chamo tenho pode fala oi olá obrigado tudo bem português',
  },
  it: {
    answer: 'Capisco solo l’inglese. Per favore, scrivimi in inglese.',
    greetings: 'ciao, buongiorno, buonasera, grazie, grazie mille, arrivederci, buona notte, buonanotte, salve',
    common:
      'vorrei sapere aiuto funziona voglio io tu lui lei noi è sono sei il lo la gli le un una e non mio mia tuo mi ti si come chi dove quando che cosa quanto costa con abito abiti chiamo chiami ho hai puoi parli ciao grazie stai italiano per',
  },
  nl: {
    answer: 'Ik begrijp alleen Engels. Schrijf me alsjeblieft in het Engels.',
    greetings: 'goedemorgen, goedemiddag, goedenavond, dank je, dank je wel, dankjewel, bedankt, tot ziens, hoi, doei',
    common:
      'helpen hulp wil ik jij je hij zij wij is ben bent zijn de het een en niet mijn jouw hoe wie waar wanneer waarom wat kan kun heb hebt heet woon met van kost hoeveel spreek nederlands',
  },
  pl: {
    answer: 'Rozumiem tylko po angielsku. Proszę pisać po angielsku.',
    greetings: 'cześć, czesc, dzień dobry, dzien dobry, dziękuję, dobry wieczór, do widzenia, dobranoc, hej hej',
    common:
      'potrafisz umiesz robisz potrzebuję pomocy proszę chcę ja ty on ona my jest jestem jesteś i nie mój moja twój jak kto gdzie kiedy dlaczego co czy mam masz mieszkam na po ile kosztuje się imię polsku',
  },
  ru: {
    answer: 'Я понимаю только английский. Пожалуйста, пишите по-английски.',
    greetings: 'привет, здравствуйте, спасибо, пока, добрый день, доброе утро, добрый вечер',
    common: '',
  },
  uk: {
    answer: 'Я розумію лише англійську. Будь ласка, пишіть англійською.',
    greetings: 'привіт, вітаю, дякую, добрий день, доброго ранку, добрий вечір, до побачення',
    common: '',
  },
  tr: {
    answer: 'Yalnızca İngilizce anlıyorum. Lütfen İngilizce yazın.',
    greetings: 'merhaba, nasılsın, naber, selam, teşekkürler, teşekkür ederim, günaydın, iyi akşamlar, iyi geceler, hoşça kal',
    common:
      'yardım bana misin eder istiyorum ben sen biz siz bir ve değil benim senin adım adın nasıl kim nerede ne zaman neden kadar mı mi mu musun misin var yok türkçe',
  },
  ar: { answer: 'أفهم الإنجليزية فقط. من فضلك اكتب لي بالإنجليزية.', greetings: 'مرحبا, السلام عليكم, شكرا, أهلا', common: '' },
  hi: { answer: 'मैं केवल अंग्रेज़ी समझता हूँ। कृपया अंग्रेज़ी में लिखें।', greetings: 'नमस्ते, धन्यवाद', common: '' },
  zh: { answer: '我只懂英语。请用英语给我写信息。', greetings: '你好, 您好, 谢谢, 再见', common: '' },
  ja: { answer: '英語しか分かりません。英語で書いてください。', greetings: 'こんにちは, ありがとう, さようなら, おはよう', common: '' },
  ko: { answer: '저는 영어만 이해합니다. 영어로 써 주세요.', greetings: '안녕하세요, 안녕, 감사합니다', common: '' },
  sv: {
    answer: 'Jag förstår bara engelska. Skriv gärna på engelska.',
    greetings: 'god morgon, god kväll, tack så mycket, hejsan, hej då',
    common: 'hjälp vill jag du han hon vi är det en ett och inte min mitt din hur vem var när varför vad kan har heter bor svenska',
  },
  da: {
    answer: 'Jeg forstår kun engelsk. Skriv venligst på engelsk.',
    greetings: 'godmorgen, god aften, mange tak, farvel',
    common:
      'hjælp vil jeg du han hun vi er det en et og ikke min mit din hvordan hvem hvor hvornår hvorfor hvad kan har hedder bor dansk dig',
  },
  no: {
    answer: 'Jeg forstår bare engelsk. Skriv gjerne på engelsk.',
    greetings: 'god kveld, tusen takk, ha det bra',
    common:
      'hjelp vil jeg du han hun vi er det en et og ikke min mitt din hvordan hvem hvor når hvorfor hva kan har heter bor norsk deg går',
  },
  fi: {
    answer: 'Ymmärrän vain englantia. Kirjoita minulle englanniksi.',
    greetings: 'hyvää päivää, hyvää huomenta, kiitos, näkemiin, moikka',
    common: 'minä sinä hän me on olen olet ja ei minun sinun miten kuka missä milloin miksi mitä kuinka nimeni asun suomea',
  },
  cs: {
    answer: 'Rozumím jen anglicky. Napište mi prosím anglicky.',
    greetings: 'dobrý den, dobré ráno, děkuji, na shledanou, ahoj',
    common: 'pomoc chci já ty on ona my je jsem jsi a ne můj moje tvůj jak kdo kde kdy proč co máš mám se bydlím jmenuji česky',
  },
  ro: {
    answer: 'Înțeleg doar engleza. Vă rog să-mi scrieți în engleză.',
    greetings: 'bună ziua, buna ziua, mulțumesc, la revedere, bună',
    common:
      'ajutor vreau eu tu el ea noi este sunt ești și nu meu mea tău cum cine unde când de ce cu am ai mă numesc mai faci locuiesc română',
  },
  hu: {
    answer: 'Csak angolul értek. Kérem, angolul írjon nekem.',
    greetings: 'jó napot, szia, köszönöm, viszlát, jó reggelt',
    common: 'én te ő mi van vagyok vagy a az egy és nem nevem hogy ki hol mikor miért mit lakom magyarul',
  },
  el: {
    answer: 'Καταλαβαίνω μόνο αγγλικά. Παρακαλώ γράψτε μου στα αγγλικά.',
    greetings: 'γεια, γεια σας, ευχαριστώ, καλημέρα',
    common: '',
  },
  he: { answer: 'אני מבין רק אנגלית. אנא כתבו לי באנגלית.', greetings: 'שלום, תודה', common: '' },
  fa: { answer: 'من فقط انگلیسی می‌فهمم. لطفاً به انگلیسی بنویسید.', greetings: 'سلام, ممنون', common: '' },
  th: { answer: 'ฉันเข้าใจเฉพาะภาษาอังกฤษ กรุณาเขียนเป็นภาษาอังกฤษ', greetings: 'สวัสดี, ขอบคุณ', common: '' },
  vi: {
    answer: 'Tôi chỉ hiểu tiếng Anh. Vui lòng viết bằng tiếng Anh.',
    greetings: 'xin chào, cảm ơn, tạm biệt',
    common: 'tôi bạn là không của tên gì ở đâu có',
  },
  id: {
    answer: 'Saya hanya mengerti bahasa Inggris. Silakan tulis dalam bahasa Inggris.',
    greetings: 'selamat pagi, selamat siang, selamat malam, terima kasih',
    common: 'saya kamu anda dia kami adalah dan tidak nama apa siapa di mana kapan kenapa bagaimana tinggal bisa kabar indonesia',
  },
};
