// Which plugins an agent lists, and whether they work.
import type { PluginView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { Badge, Check } from '../../ui/controls.js';
import { Async, Empty } from '../../ui/states.js';
import type { CharacterEditor } from './editor.js';

export function PluginsTab({ editor }: { readonly editor: CharacterEditor }): JSX.Element {
  const plugins = useLoad(async () => (await parley.call('GET /api/plugins')).plugins, []);
  const { plugins: value } = editor.character.value;
  const listed: readonly string[] = Array.isArray(value) ? value.map(String) : [];
  const put = (name: string, isListed: boolean): void =>
    editor.set('plugins', isListed ? [...listed, name] : listed.filter((one) => one !== name));
  return (
    <section class="form-section" aria-labelledby="section-plugins">
      <h2 id="section-plugins">{t('nav.plugins')}</h2>
      <p class="soft">{t('agents.plugins.about')}</p>
      <Async of={plugins}>
        {(loaded) => {
          const absent = listed.filter((name) => !loaded.some((plugin) => plugin.name === name));
          if (loaded.length + absent.length === 0) {
            return (
              <Empty icon="plugin" title={t('agents.plugins.none')}>
                <p>{t('agents.plugins.noneHint')}</p>
              </Empty>
            );
          }
          return (
            <ul class="plugin-list">
              {loaded.map((plugin) => (
                <Plugin key={plugin.name} of={plugin} listed={listed.includes(plugin.name)} onChange={put} />
              ))}
              {absent.map((name) => (
                <li key={name} class="plugin">
                  <div class="row wrap">
                    <Check label={name} checked onChange={(checked) => put(name, checked)} />
                    <Badge tone="warn">{t('agents.plugins.absent')}</Badge>
                  </div>
                </li>
              ))}
            </ul>
          );
        }}
      </Async>
    </section>
  );
}

interface PluginProps {
  readonly of: PluginView;
  readonly listed: boolean;
  readonly onChange: (name: string, listed: boolean) => void;
}

function Plugin({ of: plugin, listed, onChange }: PluginProps): JSX.Element {
  const failed = plugin.state === 'failed';
  return (
    <li class="plugin">
      <div class="row wrap">
        <Check label={plugin.name} checked={listed} onChange={(checked) => onChange(plugin.name, checked)} />
        {typeof plugin.version === 'string' && <span class="faint small">{plugin.version}</span>}
        <Badge tone={failed ? 'bad' : 'ok'}>{t(failed ? 'agents.plugins.failed' : 'agents.plugins.loaded')}</Badge>
      </div>
      {plugin.description !== undefined && <p class="soft small">{plugin.description}</p>}
      {plugin.reason !== undefined && <p class="notice bad">{plugin.reason}</p>}
    </li>
  );
}
