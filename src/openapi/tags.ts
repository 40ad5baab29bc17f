/** The domains, in the order of the specification. */
export const TAGS = [
  { name: 'system', about: 'System-wide operations and environment management.' },
  { name: 'agents', about: 'Agents, their worlds and their runs.' },
  { name: 'memory', about: 'Memories of agents, and rooms.' },
  { name: 'messaging', about: 'Messages, channels, message servers and one-off questions.' },
  { name: 'sessions', about: 'A conversation of one user with one agent, without servers, channels or participants.' },
  { name: 'audio', about: 'Speech synthesis and transcription.' },
  { name: 'media', about: 'Uploads and their files.' },
  { name: 'logs', about: 'Logs of the server and of agents.' },
  { name: 'tee', about: 'Trusted execution environments.' },
  { name: 'websocket', about: 'Real-time communication.' },
  { name: 'plugins', about: 'Plugins, their routes and what their webhooks received.' },
] as const;

type Tag = (typeof TAGS)[number]['name'];

// The first line that fits decides.
const BY_PATH: readonly (readonly [RegExp, Tag])[] = [
  [/^\/api\/messaging\/sessions/, 'sessions'],
  [/upload-media|^\/media\/|^\/api\/media\//, 'media'],
  [/^\/api\/messaging\//, 'messaging'],
  [/\/logs(\/|$)/, 'logs'],
  [/^\/api\/memory\/|^\/api\/agents\/\{agentId\}\/(rooms|memories)/, 'memory'],
  [/^\/api\/agents(\/|$)/, 'agents'],
  [/^\/api\/audio\//, 'audio'],
  [/^\/api\/tee\//, 'tee'],
  [/^\/websocket/, 'websocket'],
  [/^\/api\/plugins/, 'plugins'],
];

/** The domain that a path belongs to. */
export function tagOf(path: string): Tag {
  return BY_PATH.find(([pattern]) => pattern.test(path))?.[1] ?? 'system';
}
