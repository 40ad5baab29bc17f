import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { credential } from '../../api.js';
import { t } from '../../i18n.js';
import { myId } from '../../identity.js';
import { parleyExample, type Example } from '../../parley-example.js';
import { Button, Tabs } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialogs.js';
import { Code } from '../../ui/text.js';

type Language = 'curl' | 'javascript' | 'python' | 'socket';

/** Commands and programs that talk to this agent, ready to be copied. */
export function UseFromApp({ agentId }: { readonly agentId: string }): JSX.Element {
  const open = useSignal(false);
  return (
    <>
      <Button kind="plain" icon="api" label={t('chat.useFromApp')} onClick={() => (open.value = true)} />
      {open.value && (
        <Dialog title={t('chat.useFromApp')} wide onClose={() => (open.value = false)}>
          <Examples agentId={agentId} />
        </Dialog>
      )}
    </>
  );
}

function Examples({ agentId }: { readonly agentId: string }): JSX.Element {
  const shown = useSignal<Language>('curl');
  const needsKey = credential.value !== undefined;
  return (
    <div class="stack">
      <Tabs
        label={t('chat.useFromApp')}
        panel="example"
        selected={shown.value}
        onSelect={(id) => (shown.value = id)}
        tabs={[
          { id: 'curl', label: 'curl' },
          { id: 'javascript', label: 'JavaScript' },
          { id: 'python', label: 'Python' },
          { id: 'socket', label: 'socket.io' },
        ]}
      />
      <div id="example" role="tabpanel" aria-label={shown.value}>
        <Code text={EXAMPLES[shown.value]({ url: location.origin, agentId, userId: myId, needsKey })} wrap />
      </div>
      <p class="small soft">{t('chat.lasting')}</p>
      {needsKey && <p class="small soft">{t('chat.keyHint')}</p>}
      <p class="small">
        <a href={`/agents/${agentId}?tab=connect`}>{t('chat.otherProtocols')}</a>
      </p>
    </div>
  );
}

interface OfUser extends Example {
  readonly userId: string;
}

const EXAMPLES: Readonly<Record<Language, (example: OfUser) => string>> = {
  curl: ({ url, agentId, userId, needsKey }) => {
    const key = needsKey ? ' -H "X-API-KEY: $PARLEY_KEY"' : '';
    return `channel=$(curl -s '${url}/api/messaging/dm-channel?currentUserId=${userId}&targetUserId=${agentId}'${key} \\
  | sed 's/.*"channel":{"id":"\\([^"]*\\)".*/\\1/')
curl -s ${url}/api/messaging/channels/$channel/messages${key} -H 'Content-Type: application/json' \\
  -d '{"author_id":"${userId}","content":"Hello!","transport":"http"}'`;
  },
  javascript: parleyExample,
  python: ({ url, agentId, userId, needsKey }) => `import json${needsKey ? ', os' : ''}, urllib.request

def call(path, body=None):
    headers = {"Content-Type": "application/json"${needsKey ? ', "X-API-KEY": os.environ["PARLEY_KEY"]' : ''}}
    request = urllib.request.Request("${url}" + path, json.dumps(body).encode() if body else None, headers)
    return json.load(urllib.request.urlopen(request))["data"]

channel = call("/api/messaging/dm-channel?currentUserId=${userId}&targetUserId=${agentId}")
message = {"author_id": "${userId}", "content": "Hello!", "transport": "http"}
answer = call(f"/api/messaging/channels/{channel['id']}/messages", message)
print(answer["agentResponse"]["text"])`,
  socket: ({ url, agentId, userId, needsKey }) => `import { io } from 'socket.io-client';
import { randomUUID } from 'node:crypto';

const channelId = randomUUID();
const socket = io('${url}', {
  transports: ['websocket'],
  auth: { entityId: '${userId}'${needsKey ? ', apiKey: process.env.PARLEY_KEY' : ''} },
});
socket.on('messageStreamChunk', ({ text }) => process.stdout.write(text));
socket.on('messageComplete', () => socket.close());
socket.emit('join', { channelId, agentId: '${agentId}' }, () => {
  socket.emit('message', {
    type: 2,
    payload: {
      channelId,
      senderId: '${userId}',
      message: 'Hello!',
      targetUserId: '${agentId}',
      messageServerId: '00000000-0000-0000-0000-000000000000',
    },
  });
});`,
};
