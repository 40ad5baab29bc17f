// Webhook deliveries of a plugin: what came, how often it was tried, why it failed; ended ones can be handled again.
import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { DeliveryView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { formatBytes, t } from '../../i18n.js';
import { useLoad, type Loaded } from '../../load.js';
import { query, setQuery } from '../../router.js';
import { agentName } from '../../store/agents.js';
import { Badge, Button, Select, type Tone } from '../../ui/controls.js';
import { attempt, confirm, Dialog } from '../../ui/dialogs.js';
import { Async, Empty } from '../../ui/states.js';
import { Code, Id, Json, Time } from '../../ui/text.js';

const STATES = ['received', 'running', 'done', 'failed', 'dead'] as const;
type State = (typeof STATES)[number];
const TONES: Readonly<Record<State, Tone>> = { received: 'info', running: 'info', done: 'ok', failed: 'warn', dead: 'bad' };
const ENDED: readonly State[] = ['done', 'failed', 'dead'];
const INTERVAL_MS = 3000;
const PAGE = 50;

export function Deliveries({ plugin }: { readonly plugin: string }): JSX.Element {
  const status = STATES.find((name) => name === query.value.get('state'));
  return (
    <section class="stack">
      <div class="row wrap">
        <h3 class="grow">{t('plugins.deliveries')}</h3>
        <Select
          label={t('common.status')}
          value={status ?? ''}
          options={[
            { value: '', label: t('plugins.everyState') },
            ...STATES.map((name) => ({ value: name, label: t(`plugins.delivery.${name}`) })),
          ]}
          onSelect={(state) => setQuery({ state })}
        />
      </div>
      <DeliveryList key={status ?? ''} plugin={plugin} status={status} />
    </section>
  );
}

interface DeliveryListProps {
  readonly plugin: string;
  readonly status: State | undefined;
}

function DeliveryList({ plugin, status }: DeliveryListProps): JSX.Element {
  const { newest, older, ended, more, replay } = useDeliveries({ plugin, status });
  const opened = useSignal<string | undefined>(undefined);
  return (
    <Async of={newest}>
      {(page) => {
        const shown = [...new Map([...older.value, ...page].map((one) => [one.id, one])).values()].sort(
          (a, b) => b.createdAt - a.createdAt,
        );
        const last = shown.at(-1);
        if (last === undefined) {
          return (
            <Empty icon="plugin" title={t('plugins.noDeliveries')}>
              <p>{t('plugins.noDeliveriesHint')}</p>
            </Empty>
          );
        }
        return (
          <>
            <DeliveryTable
              deliveries={shown}
              onOpen={({ id }) => {
                opened.value = id;
              }}
              onReplay={(delivery) => void replay(delivery)}
            />
            {opened.value !== undefined && (
              <Request
                plugin={plugin}
                id={opened.value}
                onClose={() => {
                  opened.value = undefined;
                }}
              />
            )}
            {!ended.value && page.length === PAGE && <Button onClick={() => void more(last.id)}>{t('common.more')}</Button>}
          </>
        );
      }}
    </Async>
  );
}

interface DeliveryPages {
  /** Loaded again and again. */
  readonly newest: Loaded<readonly DeliveryView[]>;
  /** Loaded once, on demand. */
  readonly older: ReadonlySignal<readonly DeliveryView[]>;
  /** Whether there are none before the older ones. */
  readonly ended: ReadonlySignal<boolean>;
  readonly more: (before: string) => Promise<boolean>;
  readonly replay: (delivery: DeliveryView) => Promise<void>;
}

function useDeliveries({ plugin, status }: DeliveryListProps): DeliveryPages {
  const load = async (before?: string): Promise<readonly DeliveryView[]> => {
    const query = { status, before, limit: String(PAGE) };
    return (await parley.call('GET /api/plugins/{name}/deliveries', { path: { name: plugin }, query })).deliveries;
  };
  const newest = useLoad(() => load(), [plugin], { everyMs: INTERVAL_MS });
  const older = useSignal<readonly DeliveryView[]>([]);
  const ended = useSignal(false);
  const more = (before: string): Promise<boolean> =>
    attempt(async () => {
      const page = await load(before);
      older.value = [...older.value, ...page];
      ended.value = page.length < PAGE;
    });
  const replay = async ({ id }: DeliveryView): Promise<void> => {
    const asked = { title: t('plugins.replayTitle'), text: t('plugins.replayText'), action: t('plugins.replay') };
    if (!(await confirm(asked))) return;
    await attempt(
      () => parley.call('POST /api/plugins/{name}/deliveries/{id}/replay', { path: { name: plugin, id } }),
      t('plugins.replayed'),
    );
    newest.reload();
  };
  return { newest, older, ended, more, replay };
}

interface DeliveryTableProps {
  readonly deliveries: readonly DeliveryView[];
  readonly onOpen: (delivery: DeliveryView) => void;
  readonly onReplay: (delivery: DeliveryView) => void;
}

function DeliveryTable({ deliveries, onOpen, onReplay }: DeliveryTableProps): JSX.Element {
  return (
    <div class="table-scroll card" role="region" aria-label={t('plugins.deliveries')} tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t('common.time')}</th>
            <th scope="col">{t('common.status')}</th>
            <th scope="col">{t('plugins.route')}</th>
            <th scope="col">{t('common.agent')}</th>
            <th scope="col" class="number">
              {t('plugins.attempts')}
            </th>
            <th scope="col">
              <span class="visually-hidden">{t('plugins.replay')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => onOpen(delivery)} onReplay={() => onReplay(delivery)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DeliveryRowProps {
  readonly delivery: DeliveryView;
  readonly onOpen: () => void;
  readonly onReplay: () => void;
}

function DeliveryRow({ delivery, onOpen, onReplay }: DeliveryRowProps): JSX.Element {
  const { id, status, route, agentId, attempts, error, createdAt, mode, nextAttemptAt, senderId } = delivery;
  return (
    <tr>
      <td>
        <Time at={createdAt} />
        <Id id={id} />
        <Button kind="plain" aria-label={t('plugins.requestOf', { id: id.slice(0, 8) })} onClick={onOpen}>
          {t('plugins.request')}
        </Button>
      </td>
      <td>
        <Badge tone={TONES[status]}>{t(`plugins.delivery.${status}`)}</Badge>
        {error !== null && <div class="small soft break delivery-error">{error}</div>}
        {nextAttemptAt !== null && (
          <div class="small faint">
            {t('plugins.nextAttempt')} <Time at={nextAttemptAt} />
          </div>
        )}
      </td>
      <td>
        <code>{route}</code>
        {senderId !== null && <div class="small faint break">{senderId}</div>}
      </td>
      <td>{agentName(agentId)}</td>
      <td class="number">{attempts}</td>
      <td>
        {ENDED.includes(status) && mode === 'ack' && (
          <Button icon="again" needs="admin" aria-label={t('plugins.replayOf', { id: id.slice(0, 8) })} onClick={onReplay}>
            {t('plugins.replay')}
          </Button>
        )}
      </td>
    </tr>
  );
}

interface RequestProps {
  readonly plugin: string;
  readonly id: string;
  readonly onClose: () => void;
}

/** The request of a delivery as it came. */
function Request({ plugin, id, onClose }: RequestProps): JSX.Element {
  const details = useLoad(() => parley.call('GET /api/plugins/{name}/deliveries/{id}', { path: { name: plugin, id } }), [id]);
  return (
    <Dialog title={t('plugins.requestOf', { id: id.slice(0, 8) })} wide onClose={onClose}>
      <Async of={details}>
        {({ request }) =>
          request === null ? (
            <p class="soft">{t('plugins.notStored')}</p>
          ) : (
            <div class="stack">
              <p>
                <Badge>{request.method}</Badge> <code class="break">{request.path}</code>
              </p>
              {Object.keys(request.query).length > 0 && <Json value={request.query} label={t('plugins.query')} />}
              <section class="stack tight">
                <h3>{t('plugins.body', { size: formatBytes(request.size) })}</h3>
                {request.body === null ? (
                  <p class="soft">{t('plugins.noText')}</p>
                ) : (
                  <Code text={indented(request.body)} wrap label={t('plugins.payload')} />
                )}
              </section>
              <details>
                <summary>{t('plugins.headers', { count: Object.keys(request.headers).length })}</summary>
                <Json value={request.headers} label={t('plugins.headerLines')} />
              </details>
            </div>
          )
        }
      </Async>
    </Dialog>
  );
}

/** JSON with line breaks; any other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
