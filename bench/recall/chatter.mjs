// Messages without facts: questions to the agent, small talk, requests, statements without consequences.
import { Random } from './random.mjs';

const ASKED = [
  'What can you help me with?',
  'How does a tide work?',
  'Why is the sky red in the evening?',
  'Can you explain compound interest in two sentences?',
  'What is the difference between a crocodile and an alligator?',
  'Do you ever get tired of questions?',
  'Which is heavier, a litre of milk or a litre of water?',
  'How do I remove a wine stain from a tablecloth?',
  'What is a good opening line for a speech?',
  'Is it true that bats are blind?',
  'How long should I boil an egg?',
  'What was the first computer like?',
  'Could you recommend a podcast?',
  'How do vaccines work?',
  'What should I write into a farewell card?',
  'Why do onions make people cry?',
  'What is the capital of Mongolia?',
  'How do I calm down before a talk?',
  'Can plants hear?',
  'What does the word serendipity mean?',
  'Who invented the zip?',
  'How many bones does a hand have?',
  'Which stretches are good after sitting all day?',
  'How is paper recycled?',
];
const ASKED_FOR = [
  'Write a short poem about autumn leaves.',
  'Translate "see you tomorrow" into French, please.',
  'Give me a riddle.',
  'Make a list of ten things to pack for a weekend.',
  'Please proofread this: "Their going too the meeting tommorow."',
  'Turn this into a polite e-mail: I cannot come, too much to do.',
  'Tell me a joke about penguins.',
  'Help me to think of a title for a talk about bridges.',
  'Summarise the plot of Hamlet in one line.',
  'Sort these words: plum, cherry, quince, pear.',
  'Round 17.38 to one digit.',
  'Suggest three rhymes for moon.',
  'Explain to me how a sundial is read.',
  'Describe a perfect day in ten words.',
  'Give me a synonym for enormous.',
  'Draft an apology for a late reply.',
  'Convert 12 inches to centimetres.',
  'Invent a slogan for an umbrella shop.',
];
const SAID = [
  'Good morning!',
  'Hello again.',
  'Thanks, that was useful.',
  'Ha, very good.',
  'It has been raining all day.',
  'I slept badly.',
  'What a week.',
  'The train was late once more.',
  'I am not sure about that.',
  'That makes sense.',
  'Fine, let us leave it there.',
  'You are right, of course.',
  'The news is depressing at the moment.',
  'I had to wait an hour in a queue.',
  'The internet was slow this morning.',
  'Someone parked in front of the gate.',
  'It is far too hot in here.',
  'I forgot my umbrella.',
  'No idea, really.',
  'Let me think about it.',
  'That was quick.',
  'Never mind.',
  'Everything is expensive nowadays.',
  'The meeting went on forever.',
  'There was a nice sunset.',
  'I will come back to that later.',
  'Sounds good to me.',
  'The lift in the building is out of order.',
  'My screen is dirty.',
  'The shop was closed when I came.',
  'Okay.',
  'Not bad at all!',
];
const TOPICS = [
  'a steam engine',
  'the northern lights',
  'a food chain',
  'the stock market',
  'a suspension bridge',
  'the Roman calendar',
  'a beehive',
  'the gulf stream',
  'a sonnet',
  'the printing press',
  'an eclipse',
  'the silk road',
  'a glacier',
  'the metric system',
  'a crossword',
  'the offside rule',
  'a coral reef',
  'the Dewey system',
  'jet lag',
  'the Doppler effect',
  'a black hole',
  'the postal code',
  'a hot air balloon',
  'the Nobel prize',
  'a power plant',
  'the phases of the moon',
  'a recipe for pancakes',
  'the rules of chess',
  'a spreadsheet',
  'the history of the fork',
  'a job interview',
  'the tooth fairy',
  'a thermostat',
  'the alphabet',
  'a volcano',
  'the Olympic flame',
  'a cover letter',
  'photosynthesis',
  'a pendulum',
  'the solar calendar',
  'a password',
  'the oldest tree',
  'a camera lens',
  'the dodo',
  'a tax return',
  'the Bermuda triangle',
  'a rain gauge',
  'the price of gold',
];
const ABOUT = [
  'How does {t} work?',
  'Explain {t} to a child.',
  'What is special about {t}?',
  'Write a limerick about {t}.',
  'Who first described {t}?',
  'Compare {t} with {o}.',
  'I read an article about {t}, quite interesting.',
  'Three questions for a quiz about {t}, please.',
  'There was something about {t} on the radio.',
  'What do people get wrong about {t}?',
  'Find a metaphor in which {t} stands for {o}.',
  'Is {t} older than {o}?',
  'Make up a headline about {t}.',
  'They argued about {t} on the bus.',
  'Give me a fun fact about {t}.',
  'Could {t} exist without {o}?',
];
const BEFORE = [
  'By the way: ',
  'Before I forget: ',
  'You should know this: ',
  'Another thing: ',
  'For your information: ',
  'Oh, and one more thing. ',
  'I do not think I told you. ',
  'Small note: ',
];
const AFTER = [
  ' Just so you know.',
  ' I thought I would mention it.',
  ' Anyway.',
  ' That is how it is.',
  ' Can you give me a quote about patience?',
  ' How are you today?',
  ' Enough about me.',
];
const ASKING = ['Quick question: ', 'Remind me: ', 'Do you still know? ', 'I need your help. ', 'Tell me, please: '];

const SUBJECTS = [
  'The committee',
  'The newspaper',
  'The council',
  'The documentary',
  'The article',
  'The lecture',
  'The report',
  'The exhibition',
];
const VERBS = [
  'spoke at length about',
  'had little to say about',
  'tried to explain',
  'returned again and again to',
  'left out',
  'praised',
  'complained about',
];
const OBJECTS = [
  'the timetable of the trams',
  'the price of timber',
  'the history of the harbour',
  'the colours of old maps',
  'the repair of the bridge',
  'the lack of benches in the park',
  'the shape of clouds over the bay',
  'the habits of storks',
  'the noise of the market',
  'the tax on sugar',
  'the new roof of the station',
  'the queue at the post office',
];
const ENDS = [
  'which nobody had expected',
  'and that was it',
  'although time was short',
  'as it does every year',
  'while the audience grew restless',
  'without any figures',
  'and then coffee was served',
  'to general surprise',
];

/** Something that tells nothing about its author. Only short remarks come back often. */
export function chatter(random) {
  const way = random.next();
  if (way < 0.2) return random.pick(SAID);
  if (way < 0.3) return random.pick(random.pick([ASKED, ASKED_FOR]));
  const topic = random.pick(TOPICS);
  return random
    .pick(ABOUT)
    .replace('{t}', topic)
    .replace('{o}', random.pick(TOPICS.filter((other) => other !== topic)));
}

/** A statement as people make it. */
export function told(random, statement) {
  const way = random.next();
  if (way < 0.25) return random.pick(BEFORE) + statement;
  if (way < 0.3) return statement + random.pick(AFTER);
  if (way < 0.55) return `${random.pick(SAID)} ${statement}`;
  return statement;
}

/** A question as people ask it. */
export function asked(random, question) {
  return random.next() < 0.2 ? random.pick(ASKING) + question : question;
}

/** A sentence of a long report that tells nothing about its author. */
function prose(random) {
  return `${random.pick(SUBJECTS)} ${random.pick(VERBS)} ${random.pick(OBJECTS)}, ${random.pick(ENDS)}.`;
}

/** A statement in the middle of a long report of about so many characters. */
export function buried(random, statement, characters) {
  const half = () => {
    const sentences = [];
    for (let length = 0; length < characters / 2; length += sentences.at(-1).length + 1) sentences.push(prose(random));
    return sentences.join(' ');
  };
  return `${half()} ${statement} ${half()}`;
}

/** So many different texts that are about nothing that a question asks for. */
export function filler(seed, count) {
  const random = new Random(seed);
  const texts = new Set();
  while (texts.size < count) texts.add(random.next() < 0.5 ? prose(random) : `${chatter(random)} ${prose(random)}`);
  return [...texts];
}
