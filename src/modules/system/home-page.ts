import { createHash } from 'node:crypto';

/** Data of the page. */
export interface Home {
  readonly version: string;
  /** URL of the server as the reader reaches it, without a trailing slash. */
  readonly url: string;
  /** Undefined when the reader has no access. */
  readonly agents: readonly HomeAgent[] | undefined;
  /** Number of agents that are not listed. */
  readonly more: number;
  /** Whether requests need a credential. */
  readonly needsKey: boolean;
  /** User id in the example commands. */
  readonly userId: string;
}

interface HomeAgent {
  readonly id: string;
  readonly name: string;
  readonly running: boolean;
}

const STYLE = `
:root { color-scheme: light dark; --text: #1d2330; --soft: #57606f; --back: #f7f8fa; --card: #fff; --line: #d9dee6; --link: #0b5cad; --on: #157347; --off: #6b7280; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ef; --soft: #a3adbb; --back: #12151b; --card: #1a1f27; --line: #323a46; --link: #7cb8ff; --on: #5dd39e; --off: #9aa4b2; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: clamp(1.25rem, 5vw, 3.5rem) clamp(1rem, 4vw, 2rem); }
h1 { margin: 0; font-size: clamp(1.75rem, 6vw, 2.5rem); line-height: 1.2; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.15rem; }
p { margin: .5rem 0; }
.soft { color: var(--soft); }
a { color: var(--link); }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
ul { margin: 0; padding: 0; list-style: none; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.agents li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .7rem 1rem; border-top: 1px solid var(--line); }
.agents li:first-child { border-top: 0; }
.name { font-weight: 600; overflow-wrap: anywhere; min-width: 0; }
.state { color: var(--off); }
.state.on { color: var(--on); }
.id { flex-basis: 100%; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
pre, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: .35rem 0 1rem; padding: .8rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; line-height: 1.5; }
.links { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); }
.links a { display: block; height: 100%; padding: .8rem 1rem; text-decoration: none; }
.links strong { display: block; text-decoration: underline; }
.links span { color: var(--soft); font-size: .9rem; }
`;

/** The page has no scripts and loads no resources; its style is allowed by its hash. */
export const HOME_POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const LINKS = [
  ['/api/docs', 'API', 'all operations, to read and try'],
  ['/api/openapi.json', 'OpenAPI', 'the API as a document'],
  ['/health', 'Health', 'the state of the server'],
] as const;

/** The page at `/`: the agents and first commands. */
export function homePage(home: Home): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Parley</h1>
<p class="soft">A server for AI agents, version ${escaped(home.version)}.</p>
<h2 id="agents">Agents</h2>
${agents(home)}
<h2>Try it</h2>
${commands(home)
  .map(([what, command]) => `<p>${what}</p>\n<pre class="card"><code>${escaped(command)}</code></pre>`)
  .join('\n')}
<h2 id="more">Look further</h2>
<nav aria-labelledby="more"><ul class="links">
${LINKS.map(([href, name, about]) => `<li><a class="card" href="${href}"><strong>${name}</strong><span>${about}</span></a></li>`).join('\n')}
</ul></nav>
</main>
</body>
</html>
`;
}

function agents({ agents: all, more }: Home): string {
  if (all === undefined) {
    return (
      '<p>This server needs an API key. Send it as <code>X-API-KEY</code> or as <code>Authorization: Bearer</code>; ' +
      'the page shows the agents to requests that carry one.</p>'
    );
  }
  if (all.length === 0) return '<p>No agents yet: <code>POST /api/agents</code> creates one.</p>';
  const items = all.map(
    ({ id, name, running }) =>
      `<li><span class="name"><bdi>${escaped(name)}</bdi></span><span class="state${running ? ' on' : ''}">${running ? 'running' : 'stopped'}</span>` +
      `<code class="id">${escaped(id)}</code></li>`,
  );
  const rest = more === 0 ? '' : `\n<p class="soft">And ${more} more: <code>GET /api/agents</code>.</p>`;
  return `<ul class="card agents" aria-labelledby="agents">\n${items.join('\n')}\n</ul>${rest}`;
}

/** Shell commands. Only ids and the URL vary, and neither can contain a quote. */
function commands({ agents: all, url, needsKey, userId }: Home): [what: string, command: string][] {
  const key = needsKey ? ` \\\n  -H "X-API-KEY: $PARLEY_KEY"` : '';
  const list: [string, string] = ['The agents:', `curl -s ${url}/api/agents${key}`];
  const steps: [string, string][] = needsKey ? [['Your key:', 'PARLEY_KEY=the-api-key'], list] : [list];
  const agent = all?.find(({ running }) => running);
  if (all !== undefined && !agent) return steps;
  const json = ` \\\n  -H 'Content-Type: application/json'`;
  const message = (transport: string): string =>
    `${url}/api/messaging/sessions/$SESSION/messages${key}${json} \\\n  -d '{"content":"Hello!","transport":"${transport}"}'`;
  return [
    ...steps,
    [
      'A session with one of them:',
      `SESSION=$(curl -s ${url}/api/messaging/sessions${key}${json} \\\n  -d '{"agentId":"${agent?.id ?? 'AGENT_ID'}","userId":"${userId}"}' \\\n` +
        `  | sed 's/.*"sessionId":"\\([^"]*\\)".*/\\1/')`,
    ],
    ['A message, and the answer:', `curl -s ${message('http')}`],
    ['The answer while it is written:', `curl -sN ${message('sse')}`],
  ];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}
