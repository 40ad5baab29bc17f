// How people ask, order, greet and speak of themselves in languages other than English. What a pattern takes for a question or an order is
// recalled last, so each accepts only what is hardly ever a statement; a question mark tells in every language.

interface SpeechPatterns {
  /** Letters of the language. */
  readonly script: RegExp;
  readonly asks?: RegExp;
  readonly orders?: RegExp;
  readonly ofSelf?: RegExp;
  /** Words for what was said before. */
  readonly refers?: RegExp;
  /** The whole sentence, but for two further words. */
  readonly greets?: RegExp;
}

const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const ARABIC = /\p{Script=Arabic}/u;
const DEVANAGARI = /\p{Script=Devanagari}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN = /\p{Script=Han}/u;
const HANGUL = /\p{Script=Hangul}/u;
const THAI = /\p{Script=Thai}/u;
const END = String.raw`[.!…。！~～\s]*$`;

/** A sentence that begins with one of the words. */
const begins = (words: string): RegExp => new RegExp(String.raw`^[^\p{L}\p{N}]*(?:${words})(?![\p{L}\p{M}\p{N}])`, 'iu');
const ends = (words: string): RegExp => new RegExp(`(?:${words})${END}`, 'iu');
const has = (words: string): RegExp => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{M}\p{N}])`, 'iu');
const any = (...patterns: readonly RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), 'iu');
const greeting = (words: string): RegExp => new RegExp(String.raw`^(?:${words})(?:[\s,，、!]+[\p{L}\p{M}']+){0,2}${END}`, 'iu');
/** A question word, at most two other words that are not its subject, and a verb. */
const interrogative = (words: string, subjects: string, verbs: string): RegExp =>
  begins(String.raw`(?:${words})\s+(?:(?!(?:${subjects})\s)[\p{L}-]+\s+){0,2}(?:${verbs})`);

const PATTERNS: readonly SpeechPatterns[] = [
  // German
  {
    script: LATIN,
    asks: any(
      interrogative(
        'was|wer|wen|wem|wo|woher|wohin|wann|warum|wieso|weshalb|wie|welche[rsnm]?|womit|wobei|wofür|worüber|woran|wovon',
        String.raw`ich|wir|mein\w*|unser\w*|man|er|sie|es|du`,
        String.raw`ist|sind|war|waren|wird|werden|hat|haben|habe|hast|hatte|kann|kannst|können|muss|musst|müssen|soll|sollte|will|möchte|mag|hei(?:ß|ss)en?|hei(?:ß|ss)t|wohne|wohnt|geht|gibt|kommt|kostet|bedeutet|funktioniert|mache|macht|arbeite|arbeitet|lebe|lebt|esse|trinke|fahre|fährt`,
      ),
      begins('(?:kannst|könntest|weißt|hast|bist|magst|willst|erinnerst|kennst|wirst|würdest) du|(?:können|könnten|wissen|würden) sie'),
    ),
    orders: any(
      begins(
        String.raw`(?:bitte )?(?:schreib|gib|mach|erzähl|erklär|übersetz|nenn|fass|find|zeig|hilf|sag|denk dir|erfind|rechne|runde(?= \d)|sortier|schlag|empfiehl|erstell|vergleich|beschreib|berechne|korrigier|formulier|verbesser|erinner|wiederhol|buchstabier|ergänz|generier|entwirf)e?(?! (?:ich|wir)\b)`,
      ),
      ends(', bitte'),
    ),
    ofSelf: has(String.raw`ich|mich|mir|mein(?:e[mnrs]?)?|wir|uns|unser\w{0,2}`),
    refers: any(begins('und|aber|oder'), has('er|sie|ihr|ihm|ihn|ihnen|dort|damit|davon|darüber|dazu|dessen|deren')),
    greets: greeting(
      'hallo|guten (?:morgen|tag|abend)|gute nacht|moin|servus|danke(?: schön| sehr)?|vielen dank|tschüss|bis (?:bald|später|morgen)|macht nichts|alles klar|kein problem|keine ahnung',
    ),
  },
  // French
  {
    script: LATIN,
    asks: begins(
      String.raw`qu'est-ce (?:que|qui)|est-ce qu(?:e|')|c'est quoi|quel(?:le)?s? (?:est|sont|était)|qui (?:est|sont)|où (?:est|sont|habit\w+|se|ai-je)|quand (?:est-ce|ai-je|as-tu)|pourquoi|comment (?:s'appelle\w*|va|est-ce|fonctionne|fait-on|dit-on|on)|combien (?:de|coûte)|(?:peux|pourrais|sais|as|es|veux|connais)-tu|(?:pouvez|pourriez|savez)-vous|y a-t-il`,
    ),
    orders: begins(
      String.raw`(?:s'il (?:te|vous) plaît,? )?(?:écri(?:s|vez)|donnez?|expliquez?|tradui(?:s|sez)|racontez?|résumez?|fai(?:s|tes)|proposez?|trouvez?|di(?:s|tes)|listez?|comparez?|calculez?|converti(?:s|ssez)|corrigez?|inventez?|imaginez?|décri(?:s|vez)|aidez?-(?:moi|nous)|montrez?-(?:moi|nous)|rappelez?-moi|citez?|arrondi(?:s|ssez)|créez?|rédigez?|recommandez?|générez?)(?:-(?:moi|nous))?`,
    ),
    ofSelf: any(has('je|moi|mon|mes|nous|notre|nos'), has(String.raw`[jm]['’]\p{L}+`)),
    refers: any(begins('et|mais'), has('il|elle|ils|elles|lui|leur|ça|cela|là')),
    greets: greeting(
      String.raw`bonjour|bonsoir|salut|bonne (?:nuit|journée|soirée)|merci(?: beaucoup)?|d'accord|bien sûr|au revoir|à (?:bientôt|demain|plus)`,
    ),
  },
  // Spanish
  {
    script: LATIN,
    asks: begins(
      String.raw`qué|quién(?:es)?|dónde|cuándo|cómo|cuál(?:es)?|cuánt[oa]s?|por qué|como se llama|donde (?:vivo|está|queda)|cual es|quien es|puedes|podrías|sabes|recuerdas|te acuerdas`,
    ),
    orders: begins(
      String.raw`(?:por favor,? )?(?:escribe|escríbeme|dame|explica|explícame|traduce|cuéntame|resume|haz|hazme|propón|encuentra|dime|compara|calcula|convierte|corrige|inventa|imagina|ayúdame|muéstrame|recomienda|recomiéndame|redondea|ordena|nombra|recuérdame|sugiere)`,
    ),
    ofSelf: has(
      'yo|mis?|mí|míos?|mías?|nosotr[oa]s|nuestr[oa]s?|soy|tengo|estoy|vivo|quiero|prefiero|necesito|voy|fui|nací|somos|tenemos|vivimos|me',
    ),
    refers: any(begins('y|pero'), has('él|ella|ellos|ellas|eso|esa|ese|allí|su|sus')),
    greets: greeting('hola|buen[oa]s (?:días|tardes|noches)|gracias|muchas gracias|adiós|hasta (?:luego|mañana|pronto)|de nada|de acuerdo'),
  },
  // Italian
  {
    script: LATIN,
    asks: begins(
      String.raw`(?:che cosa|cosa|chi|dove|quando|perché|qual|quali) (?:è|sono|si|ha|ho|fa|vivo|abito|devo)|come si (?:chiama|fa|dice)|quant[oaie] (?:è|sono|anni|costa)|puoi|potresti|sai|ti ricordi`,
    ),
    orders: begins(
      String.raw`(?:per favore,? )?(?:scrivi|scrivimi|dammi|spiega|spiegami|traduci|raccontami|riassumi|fammi|proponi|trova|trovami|dimmi|elenca|confronta|calcola|converti|correggi|inventa|immagina|descrivi|aiutami|mostrami|consigliami|arrotonda|ordina|ricordami|suggerisci)`,
    ),
    ofSelf: has('io|mi|mio|mia|miei|mie|noi|nostr[oaie]|sono|ho|abbiamo|siamo|vivo|abito|lavoro|voglio'),
    refers: has('lui|lei|loro|quello|quella|ciò|lì|suo|sua'),
    greets: greeting('ciao|salve|buongiorno|buonasera|buonanotte|grazie(?: mille)?|va bene|arrivederci|a (?:presto|domani|dopo)'),
  },
  // Portuguese
  {
    script: LATIN,
    asks: begins(
      String.raw`(?:o que|quem|onde|quando|qual|quais|como) (?:é|são|foi|está|fica|se chama|tenho|moro|faço)|por qu[eê]|quant[oa]s? (?:é|são|anos|custa)|(?:você|vc) (?:pode|sabe|lembra)|podes|sabes|pode me`,
    ),
    orders: begins(
      String.raw`(?:por favor,? )?(?:escreva|escreve|me dê|dá-me|explique|explica|traduza|traduz|conte|conta-me|resuma|resume|faça|faz-me|proponha|encontre|diga|diz-me|liste|compare|calcule|converta|corrija|invente|imagine|descreva|mostre|recomende|arredonde|ordene|lembre-me|crie|gere|sugira)`,
    ),
    ofSelf: has('eu|meus?|minhas?|nós|noss[oa]s?|sou|tenho|estou|moro|trabalho|quero|somos|temos'),
    refers: has('ele|ela|eles|elas|isso|lá|dele|dela'),
    greets: greeting('olá|oi|bom dia|boa (?:tarde|noite)|obrigad[oa]|tchau|até (?:logo|amanhã)|tudo bem|de nada'),
  },
  // Dutch
  {
    script: LATIN,
    asks: any(
      interrogative(
        'wat|wie|waar|wanneer|waarom|hoe|welke?|hoeveel',
        'ik|wij|we|mijn|je|hij|ze|het',
        'is|zijn|was|waren|heeft|heb|hebben|kan|kun|moet|wil|heet|heten|woon|woont|gaat|werkt|doet|kost|betekent',
      ),
      begins('(?:kun|kan|weet|heb|ben|wil|zou) (?:je|jij)'),
    ),
    orders: begins(
      String.raw`schrijf|geef|vertaal|vertel|vat|maak|zeg|noem|vergelijk|bereken|corrigeer|verzin|bedenk|beschrijf|beveel|sorteer|herinner`,
    ),
    ofSelf: has('ik|mij|mijn|wij|onze?'),
    refers: any(begins('maar'), has('hij|zij|ze|hem|haar|daar')),
    greets: greeting('hallo|hoi|goede(?:morgen|middag|navond)|goedenacht|bedankt|dank je|tot (?:ziens|morgen|straks)|graag gedaan'),
  },
  // Polish
  {
    script: LATIN,
    asks: begins(
      'czy|kto|dlaczego|gdzie (?:jest|są|mieszkam|pracuję)|kiedy (?:jest|są|mam)|jak (?:ma na imię|nazywa|działa|mam)|co to|ile (?:ma|mam|kosztuje)',
    ),
    orders: begins(
      'napisz|podaj|wyjaśnij|przetłumacz|opowiedz|streść|zrób|zaproponuj|znajdź|powiedz|wymień|porównaj|oblicz|przelicz|popraw|wymyśl|opisz|pomóż|pokaż|poleć|zaokrąglij|ułóż|przypomnij|stwórz|wygeneruj',
    ),
    ofSelf: has(String.raw`ja|mnie|mój|moja|moje|moj\p{L}{1,3}|nas|nasz\p{L}{0,3}|mam|jestem|mieszkam|pracuję|lubię|mamy|jesteśmy`),
    refers: any(begins('ale'), has('ona|oni|jego|jej|ich|tam')),
    greets: greeting('cześć|hej|witaj|dzień dobry|dobry wieczór|dobranoc|dziękuję|dzięki|do (?:widzenia|jutra)'),
  },
  // Swedish, Danish, Norwegian
  {
    script: LATIN,
    ofSelf: has('jag|jeg|mig|meg|min|mitt|mina|mine|oss|vår|våra|våre|vores'),
    greets: greeting('hej|hei|tack så mycket|tusen takk|mange tak|god (?:morgon|morgen|morgen|natt|nat)'),
  },
  // Turkish
  {
    script: LATIN,
    asks: ends(String.raw`\sm[ıiuü](?:s[ıiuü]n|y[ıiuü]m|y[ıiuü]z)?|nedir|kimdir|nerede|nasıl|kaç`),
    orders: ends(String.raw`\s(?:yaz|ver|anlat|açıkla|çevir|söyle|öner|bul|hesapla|karşılaştır|özetle|oluştur|göster|hatırlat)`),
    ofSelf: has('ben|benim|bana|beni|biz|bizim|bize'),
    greets: greeting('merhaba|selam|günaydın|iyi (?:günler|akşamlar|geceler)|teşekkürler|teşekkür ederim|görüşürüz'),
  },
  // Indonesian
  {
    script: LATIN,
    asks: begins('apa(?:kah)?|siapa|di mana|kapan|mengapa|kenapa|bagaimana|berapa|bisakah'),
    orders: begins('(?:tolong )?(?:tuliskan|berikan|jelaskan|terjemahkan|ceritakan|buatkan|sebutkan|bandingkan|hitung|rangkum)|tolong'),
    ofSelf: has('saya|aku|kami|kita'),
    greets: greeting('halo|selamat (?:pagi|siang|sore|malam)|terima kasih|sampai jumpa'),
  },
  // Vietnamese
  {
    script: LATIN,
    orders: begins('hãy|viết (?:một|cho)|dịch|giải thích|kể (?:một|cho)|liệt kê|so sánh|gợi ý|tóm tắt'),
    ofSelf: has('tôi|mình|tớ|chúng ta'),
    greets: greeting('xin chào|chào|cảm ơn|không sao|tạm biệt'),
  },
  // Russian, Ukrainian
  {
    script: CYRILLIC,
    asks: new RegExp(
      String.raw`^[^\p{L}]*(?:[аи] )?(?:что|кто|где|куда|откуда|когда|почему|зачем|сколько|как(?! (?:обычно|всегда|раз))|как(?:ой|ая|ое|ие)|чем|чей|чья|правда ли|що|хто|де|куди|звідки|коли|чому|скільки|як(?:ий|а|е|і)?(?! завжди)|чи)\s[^,;:—]*$`,
      'iu',
    ),
    orders: any(
      begins(
        'пожалуйста|(?:напиши|дай|объясни|переведи|расскажи|перескажи|составь|сделай|предложи|назови|придумай|сочини|загадай|округли|расставь|посчитай|сравни|опиши|помоги|покажи|посоветуй|подскажи|скажи|исправь|найди|напомни|перечисли|вычисли|создай|поясни|переклади|розкажи|склади|зроби|запропонуй|назви|вигадай|порівняй|допоможи|порадь|підкажи|знайди|нагадай)(?:те)?',
      ),
      ends(', (?:пожалуйста|будь ласка)'),
    ),
    ofSelf: has(
      String.raw`я|меня|мне|мной|мо[йяеёюи]|мо(?:его|ей|ему|их|им|ими|ём|ем)|мы|нас|нам|нами|наш\p{L}{0,3}|живу|работаю|люблю|мене|мені|мій|моє|мої|ми`,
    ),
    refers: any(begins('а|и|но|але|та'), has('он|она|оно|они|его|её|ее|их|ему|ей|им|это|там|тогда|він|вона|вони|його|її|їх')),
    greets: greeting(
      'привет|здравствуй(?:те)?|доброе утро|добр(?:ый|ого) (?:день|вечер|дня)|спокойной ночи|спасибо|до (?:свидания|завтра)|снова привет|привіт|дякую|добрий день',
    ),
  },
  // Arabic
  {
    script: ARABIC,
    asks: begins('هل|ماذا|أين|متى|لماذا|كيف|كم|ما (?:هو|هي|اسم)|من (?:هو|هي)'),
    orders: begins('(?:من فضلك،? )?(?:اكتب|أعطني|اشرح|ترجم|لخص|قارن|احسب|اقترح|أخبرني|صف|احك|ساعدني|ذكرني)'),
    ofSelf: has('أنا|نحن|لدي|عندي|لي|اسمي'),
    refers: has('هو|هي|هم|ذلك|هذا|هناك'),
    greets: greeting('مرحبا|أهلا|السلام عليكم|صباح الخير|مساء الخير|شكرا|مع السلامة'),
  },
  // Hindi
  {
    script: DEVANAGARI,
    asks: has('क्या|कौन|कहाँ|कहां|कब|क्यों|कैसे|कितन[ाेी]'),
    orders: new RegExp('(?:दो|दीजिए|बताओ|बताइए|लिखो|लिखिए|समझाओ|समझाइए|सुनाओ|सुनाइए)[।.!\\s]*$', 'u'),
    ofSelf: has('मैं|मैंने|मेर[ाीे]|मुझे|मुझको|हम|हमार[ाीे]|हमें'),
    refers: has('वह|वो|उस|उसका|उसकी|उसके|यह|इस'),
    greets: greeting('नमस्ते|धन्यवाद|शुक्रिया'),
  },
  // Japanese
  {
    script: KANA,
    asks: any(ends('(?:です|ます|でしょう|ました|でした|ません)か|だっけ|かな'), new RegExp('^(?:なぜ(?!か)|どうして(?!も))', 'u')),
    orders: any(
      ends('(?:て|で)(?:ください|下さい|くれ|ちょうだい|欲しい|ほしい|もらえますか|くれますか)(?:ね)?|お願い(?:します|いたします)?'),
      ends(
        String.raw`(?:書い|教え|説明し|作っ|訳し|翻訳し|比べ|比較し|まとめ|要約し|考え(?:さ|直さ)?|出し|挙げ|並べ替え|換算し|四捨五入し|見せ|探し|計算し|直し|紹介し|勧め|助け|手伝っ|思い出させ|たとえてみ|冗談を言っ|[^、]について話し|にし)て`,
      ),
    ),
    // Without -san, a relative is one's own.
    ofSelf:
      /私|わたし|僕|ぼく|俺|うちの|我が家|自分の|(?<!お)(?:夫|妻|母|父|兄|姉|弟|妹|娘|息子|祖母|祖父|叔母|叔父|いとこ|甥|姪|両親|家族|親友|恋人|彼氏|上司|同僚|大家さん|かかりつけ)(?!さん|様)|たいです|(?:好き|嫌い)(?:な|です)|(?:住ん|働い|通っ|習っ|飲ん|飼っ|使っ|読ん|続け)でい|(?:働い|通っ|習っ|飼っ|使っ|続け|持っ)てい/u,
    refers: /彼|それ|その|あれ|あの|そこ|そっち|^(?:じゃあ|あと|では)/u,
    greets: ends(
      '^(?:おはよう|こんにちは|こんばんは|おやすみ|ありがとう|どうも|はい|いいえ|うん|了解|なるほど|わかりました|わかった|じゃあね|さようなら)(?:ございます|なさい)?',
    ),
  },
  // Chinese
  {
    script: HAN,
    asks: any(
      ends('吗|是谁|是什么|在哪里?|怎么样|多少|几岁|什么时候'),
      new RegExp('^(?:请问|为什么|怎么(?!样都)|什么是|谁是|哪[个里些])', 'u'),
    ),
    orders: new RegExp(
      '^(?!.*[了过])(?:请(?!假|客)|麻烦你?|帮我|替我|给(?:我|.{1,12})(?:讲|说|想|换|排|写|出|推荐|列)|写[一个封首篇段点几]|列[一出个]|讲(?:个|一个|讲)|(?:翻译|比较|解释|总结|计算|介绍|描述)(?:一下|下|这)(?!我)|推荐[一几个些]|说[一个]|编[一个]|告诉我|提醒我|让我想|想[一几三]个|画[一个]|生成[一几个]|把.{1,40}(?:翻译|改成|换算|改写|总结|四舍五入)|用.{1,20}(?:概括|解释|描述|来比喻|写))',
      'u',
    ),
    ofSelf: /我|咱|俺/u,
    refers: /他|她|它|那|这|^还有/u,
    greets: ends(
      String.raw`^(?:你好|您好|早上好|早安|下午好|晚上好|晚安|谢谢|多谢|好的?|嗯|是的?|对|不是?|没关系|没事|再见|明白了?|知道了|不客气|有道理|听起来不错)(?:[，,、].{0,6})?`,
    ),
  },
  // Korean
  {
    script: HANGUL,
    asks: ends('(?<!니)까요?|나요|을래요|ㄹ래요|줄래요?|어때요?|뭐(?:예요|야|죠)|어디(?:예요|야|죠)|누구(?:예요|야|죠)|언제(?:예요|야|죠)'),
    orders: new RegExp(
      String.raw`^(?!.*(?:\p{Script=Hangul}(?:께서|가)|(?:저|나|우리|남편|아내|엄마|아빠|어머니|아버지|언니|오빠|누나|형|친구)[는은])\s).*(?<![을를도만이가]\s?)(?:줘요?|주세요|주십시오)(?::.*)?${END}`,
      'u',
    ),
    ofSelf:
      /(?<!\p{Script=Hangul})(?:저|제|나|내|우리|저희|남편|아내|딸|아들|언니|오빠|누나|형|동생|어머니|엄마|아버지|아빠|부모님|할머니|할아버지|이모|고모|삼촌|조카|가족|친구|남자친구|여자친구|상사|동료|집주인)(?:는|은|이|가|를|을|의|도|에게|한테|랑|와|과)?(?!\p{Script=Hangul})|제일 좋아|고 싶어/u,
    refers: /(?<!\p{Script=Hangul})(?:그(?:는|가|녀|것|거|분|곳|때|럼|리고|의)?(?!\p{Script=Hangul})|걔|거기)/u,
    greets: ends(
      String.raw`^(?:안녕(?:하세요|히 계세요)?|고마워요?|고맙습니다|감사합니다|감사해요|알겠습니다|알겠어요|괜찮아요)(?:[\s,]+\S+){0,2}`,
    ),
  },
  // Thai, which ends neither sentences nor questions with a mark
  {
    script: THAI,
    asks: any(
      ends(
        '^(?!.*(?:ฉัน|ผม|เรา).*\\s)(?:.*\\s)?\\S*(?:ไหม|มั้ย|หรือเปล่า|หรือยัง|อะไร|ทำไม|ที่ไหน|เมื่อไหร่|เมื่อไร|เมื่อใด|ใคร|ยังไง|อย่างไร|เท่าไหร่|เท่าไร|ไหน|(?<!ไม่)กี่[^\\s]{1,8})(?:บ้าง|ดี)?(?:ครับ|ค่ะ|คะ|นะ|จ๊ะ)*',
      ),
      new RegExp('(?<!ไม่[^\\s]*)(?:อะไร|ที่ใด)(?!ก็|ๆ|เลย)|^(?:ทำไม|ใคร(?!ๆ|ก็)|จริงไหม|ช่วย\\S*ได้ไหม)', 'u'),
    ),
    orders: any(
      ends('(?:หน่อย|ให้หน่อย|ให้ที)(?:ครับ|ค่ะ|คะ|นะ|สิ)*'),
      new RegExp(
        '^(?:ขอ(?!บคุณ|แนะนำ|งฉัน|งผม|โทษ)|แปล|แต่งกลอน|เขียน(?:กลอน|บทความ|อีเมล|จดหมาย)|อธิบาย|เปรียบเทียบ|สรุป|เล่า(?:เรื่อง|นิทาน)|ทำรายการ|หาคำ|คิด(?:คำ|สโลแกน|พาดหัว|ชื่อ)|แปลง|เรียงคำ|ช่วย(?:บอก|อธิบาย|แนะนำ|เขียน|แปล|คิด))',
        'u',
      ),
    ),
    ofSelf: /ฉัน|ผม(?!ร่วง)|เรา|สามี|ภรรยา|ลูกสาว|ลูกชาย|แม่|พ่อ|พี่สาว|พี่ชาย|น้องสาว|น้องชาย|คุณยาย|คุณย่า|คุณตา|คุณปู่|เพื่อนสนิท|เพื่อนบ้าน|เจ้าของหอ/u,
    refers: /เขา|เธอ|มัน(?!ฝรั่ง)|นั้น|นั่น|^(?:แล้ว|ส่วน)/u,
    greets: ends(String.raw`^(?:สวัสดี|อรุณสวัสดิ์|ขอบคุณ|ขอบใจ|โอเค|ตกลง|ใช่|ไม่ใช่|ไม่เป็นไร|ราตรีสวัสดิ์|ลาก่อน)(?:ครับ|ค่ะ|คะ)?(?:\s+\S+)?`),
  },
];

export type SpeechAct = 'asks' | 'orders' | 'ofSelf' | 'refers' | 'greets';

/** Whether a sentence does so in one of the languages with its letters. */
export function does(act: SpeechAct, sentence: string): boolean {
  return PATTERNS.some(({ script, [act]: pattern }) => pattern !== undefined && script.test(sentence) && pattern.test(sentence));
}
