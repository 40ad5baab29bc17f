// Questions beyond single facts. `{v}` is the value of a fact.
import { COMPANY, INSTRUMENT, LANGUAGE, MAKER, MAN, PET, PROJECT, STREET, SURNAME, TITLE, TOWN, WOMAN } from './values.mjs';

/** Questions that need several facts: [the facts, wordings]. */
export const GROUPS = [
  [
    ['self.allergy', 'partner.diet', 'daughter.allergy', 'son.dislikes'],
    [
      'What do I need to know before I cook for my family?',
      'Plan a dinner for the four of us. What has to be left out?',
      'Which foods are a problem in our household?',
    ],
  ],
  [
    ['partner.collects', 'daughter.wish', 'son.wish', 'mother.flower'],
    [
      'Give me an idea for a present for each of my relatives.',
      'What could I give everybody in the family?',
      'I want to surprise all my loved ones. What would each of them like?',
    ],
  ],
  [
    ['cat.food', 'dog.medicine', 'tortoise.place'],
    [
      'Somebody looks after our animals next week. What should I write down for them?',
      'Write instructions for the pet sitter.',
      'What has to be known about our pets while we are away?',
    ],
  ],
  [
    ['self.allergy', 'self.medicine', 'self.operation', 'self.condition'],
    [
      'I have to fill in a form about my health. What goes into it?',
      'What should a new doctor know about me?',
      'Summarise my medical history.',
    ],
  ],
  [
    ['home.stopcock', 'home.key', 'home.heating'],
    [
      'A friend stays in our flat next week. What should she know about it?',
      'Write a note for the guests who stay at our place while we are away.',
      'What are the peculiarities of our home?',
    ],
  ],
  [
    ['hobby.music', 'hobby.sport', 'hobby.craft'],
    ['What do I do in my spare time?', 'List my hobbies.', 'Describe how I spend my leisure.'],
  ],
  [
    ['vehicle.bike', 'vehicle.motorbike', 'vehicle.boat'],
    ['Which vehicles do I own?', 'List everything I have for getting around, on land and on water.', 'What do I ride and sail?'],
  ],
  [
    ['weekly.class', 'weekly.volunteer', 'weekly.call'],
    ['What does my usual week look like?', 'Which regular commitments do I have?', 'What is fixed in my calendar each week?'],
  ],
  [
    ['self.dish', 'self.drink', 'self.allergy'],
    ['You are to cook for me alone. What do I enjoy, and what must be avoided?', 'What should a host know about my tastes?'],
  ],
];

/** Questions that depend on the turn before: [the fact, the turn before, the question]. */
export const FOLLOW_UPS = [
  ['sister.town', ['Tell me about my sister.', 'What do you know about my sister?'], ['And where does she live?', 'Which town is she in?']],
  ['brother.job', ['Tell me about my brother.', 'Do you remember my brother?'], ['What does he do for a living?', 'And what is his job?']],
  ['friend.town', ['Let us talk about my best friend.', 'Who is my best friend?'], ['And where is the flat?', 'Where would I visit?']],
  [
    'daughter.school',
    ['Tell me about my daughter.', 'What do you know about my daughter?'],
    ['Which school does she go to?', 'And her school?'],
  ],
  [
    'daughter.allergy',
    ['I will bake something for my daughter.', 'My daughter comes home soon.'],
    ['Is there anything she must not eat?', 'What is she allergic to?'],
  ],
  [
    'neighbour.plays',
    ['Tell me about my neighbour upstairs.', 'Do you remember my neighbour?'],
    ['What was that instrument again?', 'And what do I hear at night?'],
  ],
  [
    'landlady.town',
    ['I have to reach my landlady.', 'Tell me about my landlady.'],
    ['Where is she in winter?', 'And where does she go when it gets cold?'],
  ],
  [
    'grandmother.village',
    ['Tell me about my grandmother.', 'Do you remember my grandmother?'],
    ['Where was she born?', 'And where does she come from?'],
  ],
  ['cat.food', ['Let us talk about my cat.', 'Do you remember my cat?'], ['What does she eat?', 'And what goes into the bowl?']],
  ['dog.medicine', ['Let us talk about my dog.', 'Do you remember my dog?'], ['What does he get every evening?', 'And what does he need?']],
  ['son.wish', ['Tell me about my son.', "It is my son's birthday soon."], ['What does he dream of?', 'And what does he want?']],
];

/** What changes: [id, values, first statements, later statements, questions]. */
export const CHANGES = [
  [
    'home.town',
    TOWN,
    ['I live in {v}.', 'My home is in {v}.'],
    ['We have moved: I live in {v} now.', 'The move is done, since Monday I live in {v}.'],
    ['Where do I live?', 'In which town do I live now?', 'Where is my home?'],
  ],
  [
    'home.street',
    STREET,
    ['My address is 14 {v} Road.', 'You find me at 14 {v} Road.'],
    ['My new address is 3 {v} Road.', 'My address has changed to 3 {v} Road.'],
    ['What is my address?', 'Which address should I put on a parcel to me?'],
  ],
  [
    'work.company',
    COMPANY,
    ['I work at {v}.', 'My employer is {v}.'],
    ['I have changed jobs and work at {v} now.', 'My new employer is {v}.'],
    ['Who is my employer?', 'Which company do I work at?', 'Where do I work these days?'],
  ],
  [
    'work.boss',
    WOMAN,
    ['My boss is called {v}.', "My boss's name is {v}."],
    ['We got a new boss, who is called {v}.', 'The boss has left, and my new boss is {v}.'],
    ['What is my boss called?', 'Who is my boss?', 'Who do I report to at present?'],
  ],
  [
    'work.project',
    PROJECT,
    ['At work I am on the project {v}.', 'My project at work is called {v}.'],
    ['They have put me on another project, {v}.', 'My project was stopped; the new one is called {v}.'],
    ['Which project am I on?', 'What is my project at work called?'],
  ],
  [
    'car.make',
    MAKER,
    ['My car is a {v}.', 'I drive a {v}.'],
    ['I sold my car and drive a {v} now.', 'My new car is a {v}.'],
    ['Which car do I drive?', 'What is my car?'],
  ],
  [
    'coffee.order',
    ['cortado', 'macchiato', 'ristretto', 'lungo', 'mocha', 'cappuccino', 'affogato', 'galão'],
    ['My usual coffee is a {v}.', 'In a café I always order a {v}.'],
    ['I am tired of my usual coffee; from now on it is a {v}.', 'My usual order in a café is a {v} these days.'],
    ['What is my usual coffee?', 'What do I order in a café?'],
  ],
  [
    'physio.name',
    SURNAME,
    ['My physiotherapist is Mrs {v}.', 'For my back I go to a physiotherapist, Mrs {v}.'],
    ['I have switched to another physiotherapist, Mrs {v}.', 'My new physiotherapist is Mrs {v}.'],
    ['Who is my physiotherapist?', 'Who treats my back?'],
  ],
  [
    'language.course',
    LANGUAGE,
    ['I have begun a course in {v}.', 'The language I am learning is {v}.'],
    ['I gave up the language course and am learning {v} instead.', 'The language I am learning is {v} now, I dropped the other one.'],
    ['Which language am I learning?', 'What is the language course that I take?'],
  ],
  [
    'book.now',
    TITLE,
    ['The book on my bedside table is {v}.', 'I am reading {v} at the moment.'],
    ['I have finished that book and am reading {v} at the moment.', 'The book on my bedside table is {v} now.'],
    ['What am I reading at the moment?', 'Which book is on my bedside table?'],
  ],
  [
    'training.partner',
    MAN,
    ['I go running with {v}.', 'My running mate is {v}.'],
    ['My running mate has moved away, so I go running with {v} now.', 'I found somebody else to go running with: {v}.'],
    ['Who do I go running with?', 'Who is my running mate?'],
  ],
];

/** What happens at a time: [id, values, statements of the same day, questions]. */
export const EVENTS = [
  [
    'event.hamster',
    PET,
    ['We got a hamster from the shelter today, it is called {v}.', 'A hamster moved in with us today: {v}.'],
    ['When did we get the hamster?', 'Since when have we had the hamster?'],
  ],
  [
    'event.marathon',
    TOWN,
    ['I signed up for the marathon in {v} this morning.', 'Done: today I signed up for the marathon in {v}.'],
    ['When did I sign up for the marathon?', 'On what day did I sign up for the marathon?'],
  ],
  [
    'event.bazaar',
    INSTRUMENT,
    ['I gave away my old {v} at the school bazaar today.', 'Today I gave my old {v} to the school bazaar.'],
    ['When was the school bazaar?', 'When did I give something to the school bazaar?'],
  ],
  [
    'event.nephew',
    MAN,
    ['My nephew {v} was born last night!', 'Good news: my nephew was born this morning, he is called {v}.'],
    ['When was my nephew born?', "What is my nephew's date of birth?"],
  ],
  [
    'event.wrist',
    SURNAME,
    ['I broke my wrist today; Dr {v} put it in plaster.', 'My wrist is broken since this morning, Dr {v} set it.'],
    ['When did I break my wrist?', 'On what day was my wrist broken?'],
  ],
  [
    'event.fridge',
    MAKER,
    ['The new fridge was delivered this afternoon, a {v}.', 'Our new fridge came today, a {v}.'],
    ['When did the new fridge come?', 'When was the fridge delivered?'],
  ],
  [
    'event.boiler',
    COMPANY,
    ['The boiler broke down this morning, {v} sent a mechanic.', 'Our boiler broke down today, and {v} came to repair it.'],
    ['When did the boiler break down?', 'On what day did our boiler break down?'],
  ],
  [
    'event.visit',
    TOWN,
    ['My parents arrived today, all the way from {v}.', 'My parents arrived this morning with the train from {v}.'],
    ['When did my parents arrive?', 'Since when have my parents been here?'],
  ],
  [
    'event.licence',
    SURNAME,
    ['I passed my driving test today, the examiner was Mr {v}.', 'Mr {v} let me pass my driving test this morning!'],
    ['When did I pass my driving test?', 'On what day was my driving test?'],
  ],
  [
    'event.vote',
    WOMAN,
    ['Our choir elected {v} as chair today.', 'Today the choir chose {v} as its chair.'],
    ['When did our choir elect its chair?', 'When was the election in our choir?'],
  ],
];

/** What the user never tells and others do: [id, values, statements, questions, questions in other words]. */
export const NEVER_TOLD = [
  [
    'parrot.name',
    PET,
    ['My parrot is called {v}.', 'Our parrot {v} talks all day.'],
    ['What is my parrot called?', "What is my parrot's name?"],
    ['Who chatters in the cage at our place?'],
  ],
  [
    'horse.name',
    PET,
    ['My horse is called {v}.', 'I ride my horse {v} at weekends.'],
    ['What is my horse called?', 'Which horse do I ride?'],
    ['Whose saddle hangs in my stable?'],
  ],
  [
    'university.town',
    TOWN,
    ['I studied at the university of {v}.', 'My university was in {v}.'],
    ['Where did I study?', 'Which university was mine?'],
    ['Where did I get my degree?'],
  ],
  [
    'teacher.name',
    SURNAME,
    ['My first teacher was Mrs {v}.', 'Mrs {v} was my first teacher.'],
    ['Who was my first teacher?', 'What was my first teacher called?'],
    ['Which woman taught me to read?'],
  ],
  [
    'aunt.name',
    WOMAN,
    ['My aunt is called {v}.', 'My aunt {v} bakes the best bread.'],
    ['What is my aunt called?', "What is my aunt's name?"],
    ["What is the name of dad's sibling?"],
  ],
  [
    'aunt.town',
    TOWN,
    ['My aunt lives in {v}.', 'My aunt moved to {v}.'],
    ['Where does my aunt live?', 'In which town is my aunt?'],
    ["Where would I visit dad's sibling?"],
  ],
  [
    'lawyer.name',
    SURNAME,
    ['My lawyer is Mr {v}.', 'Mr {v} is my lawyer.'],
    ['Who is my lawyer?', 'What is the name of my lawyer?'],
    ['Which attorney would defend me in court?'],
  ],
  [
    'printer.make',
    MAKER,
    ['My printer is a {v}.', 'I bought a printer, a {v}.'],
    ['What is my printer?', 'Which printer did I buy?'],
    ['What brand puts my documents on paper?'],
  ],
  [
    'twin.name',
    MAN,
    ['My twin is called {v}.', 'My twin {v} is taller than me.'],
    ['What is my twin called?', 'Who is my twin?'],
    ['Who was born in the same hour as I?'],
  ],
  [
    'summerhouse.street',
    STREET,
    ['My summer house is in {v} Lane.', 'We have a summer house in {v} Lane.'],
    ['Where is my summer house?', 'In which lane is our summer house?'],
    ['Where do we spend the warm weekends in the garden?'],
  ],
];
