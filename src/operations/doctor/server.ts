import type { Config } from '../../core/config/index.js';
import { cutText } from '../../core/text/index.js';
import { serviceFetch } from '../../providers/outbound/index.js';
import { checkPlugins } from '../../modules/plugins/index.js';
import { localAddress } from '../../cli/server-address.js';
import { Findings, type Check } from './finding.js';

const TIMEOUT_MS = 5000;

interface Probe {
  /** Undefined when nothing responds. */
  readonly status?: number;
  readonly reason: string;
}

export const server: Check = async ({ config }) => {
  const found = new Findings('server');
  const local = config.port === 0 ? undefined : await probe(localAddress(config), config);
  if (local?.status === 503) found.error(`The server is not ready: ${local.reason}`, 'Its log says why.');
  else if (local?.status !== undefined && local.status !== 200) {
    found.error(`Another program than Parley listens on port ${config.port} (status ${local.status}).`, 'Stop it, or set SERVER_PORT.');
  }
  if (config.publicUrl !== undefined && local?.status === 200) {
    const outside = await probe(config.publicUrl.replace(/\/+$/, ''), config);
    if (outside.status !== 200) {
      found.warning(
        `The server is ready, but SERVER_URL does not reach it: ${outside.reason}`,
        'Check SERVER_URL, and the proxy in front. From this machine its name may lead elsewhere.',
      );
    }
  }
  return found.orOk(local?.status === 200 ? 'The server is ready.' : 'No server runs here at present.');
};

async function probe(address: string, { apiKey }: Config): Promise<Probe> {
  try {
    const response = await serviceFetch(address)(`${address}/readyz`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = cutText(await response.text(), 300);
    return { status: response.status, reason: apiKey === undefined ? text : text.replaceAll(apiKey, '***') };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; message?: string } };
    return { reason: cause?.code ?? cause?.message ?? (error as Error).message };
  }
}

export const plugins: Check = async ({ config }) => {
  const found = new Findings('plugins');
  const checked = await checkPlugins(config);
  for (const { name, fault, warnings } of checked) {
    if (fault !== undefined) {
      found.error(`The plugin ${name} cannot be loaded: ${fault}`, 'Correct or remove it in PLUGINS_DIR or PLUGINS.');
    }
    for (const warning of warnings) found.warning(`The plugin ${name}: ${warning}`, 'npx parley-server plugin check shows more.');
  }
  return found.orOk(checked.length === 0 ? 'There are no plugins.' : `${checked.length} of ${checked.length} plugins can be loaded.`);
};
