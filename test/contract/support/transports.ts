/** How the reply to a message is heard. */
export const TRANSPORTS: [transport: string | null | undefined, heard: 'later' | 'in the answer' | 'as events'][] = [
  [undefined, 'later'],
  [null, 'later'],
  ['websocket', 'later'],
  ['http', 'in the answer'],
  ['sync', 'in the answer'],
  ['sse', 'as events'],
  ['stream', 'as events'],
];

export const BAD_TRANSPORTS: [name: string, transport: unknown][] = [
  ['an unknown word', 'pigeon'],
  ['a word in upper case', 'HTTP'],
  ['empty', ''],
  ['a number', 7],
  ['true', true],
  ['an object', {}],
  ['a list', ['http']],
  ['the name of an object method', 'toString'],
];
