// How fast the console is, in Chromium on the built server: `npm run console:figures`, or only parts of it with `-- visit messages agents`.
// It prints one table with the budgets beside the figures and fails only when it cannot measure; bench/README.md says what the rows mean.
import { shown, tableOf } from '../bench/support/table.mjs';
import { median, percentile } from '../bench/support/statistics.mjs';
import { TestBrowser } from '../test/browser/support/browser.ts';
import { ConsoleServer } from '../test/browser/support/console-server.ts';
import ensureBuild from './ensure-build.mjs';

const VISITS = 5;
const MESSAGES = 10_000;
const AGENTS = 1000;
const CALLERS = 16;
const SCROLL_MS = 20_000;
const USER = '5d0f6a3c-7c55-4c8e-9d1e-2b1c90a7f0aa';

// Runs in the page before its own scripts.
const PROBE = `
  window.probe = { long: [], ready: 0 };
  new PerformanceObserver((list) => window.probe.long.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });
  new MutationObserver(() => {
    if (window.probe.ready === 0 && document.querySelector('main textarea:enabled')) window.probe.ready = performance.now();
  }).observe(document, { childList: true, subtree: true, attributes: true });`;

const VISIT = `(() => {
  const [navigation] = performance.getEntriesByType('navigation');
  const resources = performance.getEntriesByType('resource');
  const bytes = (pattern) => resources.filter(({ name }) => pattern.test(name)).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  return {
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    ready: window.probe.ready,
    scripts: bytes(/[.]js$/),
    styles: bytes(/[.]css$/),
    fonts: bytes(/[.]woff2$/),
    page: navigation.encodedBodySize,
    requests: 1 + resources.length,
    calls: resources.filter(({ name }) => name.includes('/api/')).length,
    longest: Math.max(0, ...window.probe.long),
    long: window.probe.long.length,
  };
})()`;

// Scrolls to the beginning, 300 px each frame and as far as older messages have arrived, and times the frames.
const SCROLL = (limitMs) => `(async () => {
  const scroller = document.querySelector('[role=log]');
  const elements = document.getElementsByTagName('*');
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const frames = [];
  let [nodes, oldest] = [0, Infinity];
  let last = await frame();
  const end = last + ${limitMs};
  while (last < end && oldest > 0) {
    scroller.scrollTop -= 300;
    const now = await frame();
    frames.push(now - last);
    last = now;
    nodes = Math.max(nodes, elements.length);
    const found = /message ([0-9]+)/.exec(scroller.querySelector('.virtual-row')?.textContent ?? '');
    if (found) oldest = Math.min(oldest, Number(found[1]));
  }
  return { frames, nodes, oldest };
})()`;

await ensureBuild(() => process.stderr.write('Building Parley ...\n'));
const browser = await TestBrowser.start();
const rows = [];
const only = process.argv.slice(2);
try {
  await measured('visit', firstVisit);
  await measured('messages', scrolledMessages);
  await measured('agents', manyAgents);
} finally {
  await browser.close();
}
process.stdout.write(`${tableOf(rows)}\n`);

async function measured(name, measure) {
  if (only.length > 0 && !only.includes(name)) return;
  process.stderr.write(`${name} ...\n`);
  const server = await ConsoleServer.start();
  try {
    rows.push(...(await measure(server)));
    await browser.closePages();
  } finally {
    await server.close();
  }
}

/** Nothing is cached: each visit has a context of its own. */
async function firstVisit(server) {
  const visits = await visited(server.url, VISIT);
  const of = (name) => median(visits.map((visit) => visit[name]));
  const kilobytes = (name) => of(name) / 1000;
  return [
    { name: 'first visit, processor', measured: of('cpu'), unit: ' ms', floor: { below: 500 }, more: 'main thread of the page' },
    { name: 'first paint', measured: of('paint'), unit: ' ms' },
    { name: 'ready to type', measured: of('ready'), unit: ' ms', floor: { below: 1000 } },
    { name: 'scripts', measured: kilobytes('scripts'), unit: ' kB', floor: { below: 200 }, more: 'compressed' },
    {
      name: 'styles',
      measured: kilobytes('styles'),
      unit: ' kB',
      more: `page ${shown(kilobytes('page'))} kB, fonts ${shown(kilobytes('fonts'))} kB`,
    },
    { name: 'requests', measured: of('requests'), more: `${of('calls')} of them to the API` },
    { name: 'longest task', measured: of('longest'), unit: ' ms', more: `${of('long')} above 50 ms` },
  ];
}

async function scrolledMessages(server) {
  const { id } = await server.call('POST', '/api/messaging/channels', { name: 'Long', type: 'GROUP', participantCentralUserIds: [USER] });
  await inParallel(MESSAGES, (index) =>
    server.call('POST', `/api/messaging/channels/${id}/messages`, { author_id: USER, content: `This is message ${index}.` }),
  );
  let processor;
  const page = await browser.open(`${server.url}/chat/${id}`, {
    storage: { 'parley.user': USER },
    prepare: async (opened) => (processor = await processorOf(opened)),
  });
  await page.getByRole('log').getByText('message ').first().waitFor();
  const before = await processor();
  const { frames, nodes, oldest } = await page.evaluate(SCROLL(SCROLL_MS));
  const each = ((await processor()) - before) / frames.length;
  const sorted = [...frames].sort((a, b) => a - b);
  return [
    { name: 'scroll, processor', measured: each, unit: ' ms', floor: { below: 16 }, more: 'main thread, each frame' },
    {
      name: 'scroll, frame p50',
      measured: percentile(sorted, 0.5),
      unit: ' ms',
      more: `${MESSAGES - oldest} of ${MESSAGES} messages in ${frames.length} frames`,
    },
    {
      name: 'scroll, frame p95',
      measured: percentile(sorted, 0.95),
      unit: ' ms',
      floor: { below: 34 },
      more: `longest ${shown(sorted.at(-1))} ms`,
    },
    { name: 'scroll, elements', measured: nodes, floor: { below: 2000 }, more: 'in the document, at most' },
  ];
}

async function manyAgents(server) {
  await inParallel(AGENTS, (index) =>
    server.call('POST', '/api/agents', { characterJson: { name: `Agent ${index}`, bio: 'One of many.' } }),
  );
  const visits = await visited(server.url, `({ ready: window.probe.ready, nodes: document.querySelectorAll('*').length })`);
  return [
    { name: `${AGENTS} agents, processor`, measured: median(visits.map(({ cpu }) => cpu)), unit: ' ms', floor: { below: 500 } },
    { name: `${AGENTS} agents, ready`, measured: median(visits.map(({ ready }) => ready)), unit: ' ms', floor: { below: 1000 } },
    { name: `${AGENTS} agents, elements`, measured: median(visits.map(({ nodes }) => nodes)), floor: { below: 2000 } },
  ];
}

/** The answers of several visits, each with the processor time of the page's main thread, ms. */
async function visited(url, question) {
  const answers = [];
  for (let visit = 0; visit < VISITS; visit++) {
    let processor;
    const page = await browser.open(url, {
      prepare: async (opened) => {
        await opened.addInitScript(PROBE);
        processor = await processorOf(opened);
      },
    });
    await page.getByLabel(/^Message /).waitFor();
    await page.getByRole('switch').first().waitFor();
    await page.waitForLoadState('networkidle');
    answers.push({ ...(await page.evaluate(question)), cpu: await processor() });
    await page.context().close();
  }
  return answers;
}

/** Tells the processor time of the page's main thread so far, ms; waiting for other programs of the machine is not in it. */
async function processorOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
}

async function inParallel(count, work) {
  let next = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (next < count) await work(next++);
    }),
  );
}
