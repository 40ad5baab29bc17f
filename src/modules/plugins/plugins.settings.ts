import { flag, list, path, type SettingValues } from '../../core/config/index.js';

export const PLUGINS_SETTINGS = {
  pluginsDir: path('PLUGINS_DIR', './plugins', { about: 'Folder of plugins. Each file and folder in it is loaded as a plugin.' }),
  plugins: list('PLUGINS', { about: 'Further plugins, comma-separated: paths or names of installed packages.' }),
  pluginEnv: list('PLUGIN_ENV', {
    about: 'Environment variables that every plugin may read as settings, in addition to those it declares, comma-separated.',
  }),
  pluginsWatch: flag('PLUGINS_WATCH', false, {
    about: 'Whether plugins of PLUGINS_DIR are reloaded when their files change, for development.',
  }),
  pluginRoutesRequireAuth: flag('PLUGIN_ROUTES_REQUIRE_AUTH', false, {
    about: 'Whether plugin routes require a credential under their own path too. Public routes and verified webhooks are exempt.',
  }),
} as const;

type PluginConfig = SettingValues<typeof PLUGINS_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends PluginConfig {}
}
