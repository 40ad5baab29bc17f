export interface Example {
  /** Of the server, without a slash at the end. */
  readonly url: string;
  readonly agentId: string;
  /** Whether the server asks for a key. */
  readonly needsKey: boolean;
}

/** A program that talks to an agent with parley-client. */
export function parleyExample({ url, agentId, needsKey }: Example): string {
  return `import { Parley } from 'parley-client';

const parley = new Parley({ url: '${url}'${needsKey ? ', credential: process.env.PARLEY_KEY' : ''} });
const conversation = await parley.conversation({ agent: '${agentId}', user: 'ada@example.com' });
const answer = await conversation.ask('Hello!');
console.log(answer.text);`;
}
