// Small files as other programs write them, in words of our own.
import { crc32, deflateSync } from 'node:zlib';
import JSZip from 'jszip';

const at = (minute: number): number => Date.UTC(2025, 2, 1, 9, minute) / 1000;

/** A ChatGPT conversation with an edited question, a hidden message, tools, thoughts and a picture. */
export function chatGpt(id = 'c1', title = 'Tides at the pier', more: readonly string[] = []): object {
  const node = (name: string, parent: string | null, children: string[], message: object | null = null): [string, object] => [
    name,
    { id: name, parent, children, message },
  ];
  const said = (name: string, role: string, parts: unknown[], minute: number | null, extra: object = {}): object => ({
    id: `${id}-${name}`,
    author: { role, name: null, metadata: {} },
    create_time: minute === null ? null : at(minute) + 0.25,
    content: { content_type: 'text', parts },
    status: 'finished_successfully',
    metadata: {},
    recipient: 'all',
    ...extra,
  });
  const tail = more.map((text, index) =>
    node(
      `m${index}`,
      index === 0 ? 'a3' : `m${index - 1}`,
      index === more.length - 1 ? [] : [`m${index + 1}`],
      said(`m${index}`, 'user', [text], 30 + index),
    ),
  );
  return {
    title,
    create_time: at(0),
    update_time: at(9),
    conversation_id: id,
    current_node: more.length === 0 ? 'a3' : `m${more.length - 1}`,
    mapping: Object.fromEntries([
      node('root', null, ['sys']),
      node('sys', 'root', ['ctx'], said('sys', 'system', [''], null, { metadata: { is_visually_hidden_from_conversation: true } })),
      node(
        'ctx',
        'sys',
        ['u1', 'u1b'],
        said('ctx', 'user', [], null, { content: { content_type: 'user_editable_context', user_profile: 'I sail.' } }),
      ),
      node('u1', 'ctx', ['a1'], said('u1', 'user', ['When is low water?'], 1)),
      node('a1', 'u1', [], said('a1', 'assistant', ['At noon, probably.'], 2)),
      node('u1b', 'ctx', ['t1'], said('u1b', 'user', ['When is low water at the pier?'], 3)),
      node('t1', 'u1b', ['c1'], said('t1', 'assistant', [], 4, { content: { content_type: 'thoughts', thoughts: [{ content: 'Hm.' }] } })),
      node(
        'c1',
        't1',
        ['o1'],
        said('c1', 'assistant', [], 4, { content: { content_type: 'code', text: 'look("tides")' }, recipient: 'python' }),
      ),
      node('o1', 'c1', ['a2'], said('o1', 'tool', [], 4, { content: { content_type: 'execution_output', text: '12:40' } })),
      node('a2', 'o1', ['u3'], said('a2', 'assistant', ['At 12:40. \ue200cite\ue202turn0search0\ue201Mind the swell.'], null)),
      node(
        'u3',
        'a2',
        ['a3'],
        said('u3', 'user', [], 5, {
          content: { content_type: 'multimodal_text', parts: [{ content_type: 'image_asset_pointer' }, 'Is this the pier?'] },
        }),
      ),
      node('a3', 'u3', more.length === 0 ? [] : ['m0'], said('a3', 'assistant', ['Yes, the northern one.'], 6)),
      ...tail,
    ]),
  };
}

/** A Claude conversation with an attachment, a thought and a tool. */
export function claude(id = '11111111-2222-4333-8444-555555555555'): object {
  const message = (n: number, sender: string, content: unknown[], extra: object = {}): object => ({
    uuid: `${id.substring(0, 35)}${n}`,
    sender,
    text: 'This block is not supported here.',
    content,
    created_at: `2025-04-01T08:0${n}:00.123456Z`,
    attachments: [],
    files: [],
    ...extra,
  });
  return {
    uuid: id,
    name: 'Recipe for a cold evening',
    created_at: '2025-04-01T08:00:00.000000Z',
    updated_at: '2025-04-01T08:09:00.000000Z',
    account: { uuid: 'a' },
    chat_messages: [
      message(1, 'human', [{ type: 'text', text: 'What can I cook from this list?' }], {
        attachments: [{ file_name: 'pantry.txt', file_type: 'txt', extracted_content: 'leeks\npotatoes' }],
        files: [{ file_name: 'shelf.jpg' }],
      }),
      message(2, 'assistant', [
        { type: 'thinking', thinking: 'Soup.' },
        { type: 'tool_use', name: 'search', input: {} },
        { type: 'text', text: 'Leek and potato soup.' },
      ]),
      message(3, 'human', [], { text: 'Thank you!' }),
      message(4, 'assistant', [], { text: '' }),
    ],
  };
}

/** An agent file of Letta with an agent that speaks by a tool. */
export function letta(): object {
  return {
    agents: [
      {
        id: 'agent-0',
        name: 'Harbour Clerk',
        system: 'You keep the harbour book.',
        description: 'Knows every berth.',
        block_ids: ['block-0', 'block-1'],
        tool_ids: ['tool-0', 'tool-1'],
        llm_config: { model: 'gpt-large' },
        tool_exec_environment_variables: { BERTH_KEY: 'not-a-real-key' },
        messages: [
          {
            id: 'message-0',
            role: 'system',
            content: [{ type: 'text', text: 'You keep the harbour book.' }],
            created_at: '2025-05-01T10:00:00+00:00',
          },
          {
            id: 'message-1',
            role: 'user',
            content: [{ type: 'text', text: '{"type": "user_message", "message": "Is berth four free?", "time": "10:01"}' }],
            created_at: '2025-05-01T10:01:00+00:00',
          },
          {
            id: 'message-2',
            role: 'assistant',
            content: [{ type: 'text', text: 'I should look.' }],
            tool_calls: [{ id: 'x', function: { name: 'send_message', arguments: '{"message": "It is, until Sunday."}' } }],
            created_at: '2025-05-01T10:01:05+00:00',
          },
          { id: 'message-3', role: 'tool', content: [{ type: 'text', text: '{"status": "OK"}' }], created_at: '2025-05-01T10:01:06+00:00' },
          {
            id: 'message-4',
            role: 'user',
            content: [{ type: 'text', text: '{"type": "heartbeat"}' }],
            created_at: '2025-05-01T10:02:00+00:00',
          },
        ],
      },
    ],
    groups: [],
    blocks: [
      { id: 'block-0', label: 'persona', value: 'I am the clerk of the harbour.' },
      { id: 'block-1', label: 'human', value: 'The user owns the boat Linnea.' },
    ],
    files: [{ file_name: 'berths.pdf' }],
    sources: [],
    tools: [
      { id: 'tool-0', name: 'send_message', source_code: 'def send_message(): pass' },
      { id: 'tool-1', name: 'open_gate', description: 'Opens the gate.', source_code: 'import os\nos.system("gate --open")' },
    ],
    mcp_servers: [{ server_name: 'gates', server_url: 'https://gates.example.org/mcp' }],
  };
}

const CARD = {
  name: 'Sister Alba',
  description: '{{char}} tends the herb garden of an abbey.',
  personality: 'Calm, exact.',
  scenario: '{{user}} visits on a market day.',
  first_mes: 'Mind the thyme, {{user}}.',
  mes_example: '<START>\n{{user}}: What helps a cough?\n{{char}}: Thyme, and rest.\nMostly rest.\n<START>\n{{char}}: *She nods.*',
};

export function cardV1(): object {
  return CARD;
}

export function card(version: 2 | 3, name = CARD.name): object {
  return {
    spec: `chara_card_v${version}`,
    spec_version: `${version}.0`,
    data: {
      ...CARD,
      name,
      creator_notes: 'For quiet talk.',
      system_prompt: '{{original}} Stay in the garden.',
      post_history_instructions: 'Answer in two sentences.',
      alternate_greetings: ['The rain has stopped.'],
      tags: ['abbey'],
      creator: 'us',
      character_version: '1',
      extensions: { depth_prompt: { prompt: 'Bees are near.' } },
      character_book: {
        entries: [
          { keys: ['well'], content: 'The well is forty feet deep.', enabled: true, extensions: {}, insertion_order: 1 },
          { keys: ['cellar'], name: 'cellar', content: 'The cellar is locked.', enabled: false, extensions: {}, insertion_order: 2 },
        ],
      },
      ...(version === 3 && {
        nickname: 'Alba',
        group_only_greetings: [],
        assets: [{ type: 'icon', uri: 'https://example.org/a.png', name: 'main', ext: 'png' }],
      }),
    },
  };
}

function chunk(kind: string, data: Buffer, isFaulty = false): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE((crc32(body) ^ (isFaulty ? 1 : 0)) >>> 0);
  return Buffer.concat([length, body, sum]);
}

type Text = readonly [kind: 'tEXt' | 'zTXt' | 'iTXt', keyword: string, value: unknown, isFaulty?: boolean];

/** A picture of one pixel with texts; a value that is no text is written as cards are, in base64. */
export function picture(...texts: readonly Text[]): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const chunks = texts.map(([kind, keyword, value, isFaulty]) => {
    const text = Buffer.from(typeof value === 'string' ? value : Buffer.from(JSON.stringify(value)).toString('base64'));
    const start = Buffer.from(`${keyword}\0`, 'latin1');
    if (kind === 'tEXt') return chunk(kind, Buffer.concat([start, text]), isFaulty);
    if (kind === 'zTXt') return chunk(kind, Buffer.concat([start, Buffer.from([0]), deflateSync(text)]), isFaulty);
    return chunk(kind, Buffer.concat([start, Buffer.from([1, 0, 0, 0]), deflateSync(text)]), isFaulty);
  });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...chunks,
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function archive(files: Readonly<Record<string, unknown>>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [name, value] of Object.entries(files)) zip.file(name, typeof value === 'string' ? value : JSON.stringify(value));
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}
