import { ALIASES, SETTINGS } from './config.js';
import type { Setting } from './settings.js';

const KNOWN = new Map<string, Setting<unknown>>(Object.values<Setting<unknown>>(SETTINGS).map((setting) => [setting.name, setting]));
const GUARDED = new Set([...KNOWN.values()].filter(({ editable }) => !editable).map(({ name }) => name));
for (const name of Object.values(ALIASES)) GUARDED.add(name);

/** Where the services of an agent are. */
const ADDRESS_OF_AGENT = /^CHARACTER\..+_BASE_URL$/;

/** What Node, its loaders, the dynamic loader, shells, interpreters and libraries read by themselves: code, programs, files, proxies. */
const READ_BY_OTHERS = [
  /^(NODE|NPM|NPM_CONFIG|JITI|BABEL|TS_NODE|NEST|UV|TYPEORM|SQLITE)_/,
  /^(LD|DYLD|GCONV|GLIBC|MALLOC|NSS|SSL|OPENSSL|CURL|GIT|SSH|SUDO|XDG|SYSTEMD)_/,
  /^(BASH|ZSH|PYTHON|PERL|RUBY|JAVA|JDK|FFREPORT|PG[A-Z]+$)/,
  /(^|_)(PROXY|PRELOAD|TOOL_OPTIONS)$/,
  /^(PATH|PATHEXT|HOME|HOMEPATH|USERPROFILE|SHELL|COMSPEC|ENV|CDPATH|FPATH|ZDOTDIR|IFS|PS[0-4]|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|BROWSER)$/,
  /^(TMPDIR|TMP|TEMP|TZ|TZDIR|LOCPATH|LOCALDOMAIN|RES_OPTIONS|HOSTALIASES|PWD|OLDPWD|USER|USERNAME|LOGNAME|DEBUG)$/,
];

/** Whether a variable must not be changed over HTTP, whatever ENV_EDITABLE says. Capitals and small letters are the same here. */
export function isGuarded(name: string): boolean {
  const upper = name.toUpperCase();
  return GUARDED.has(upper) || ADDRESS_OF_AGENT.test(upper) || READ_BY_OTHERS.some((family) => family.test(upper));
}

/** Whether an administrator may change a variable over HTTP. */
export function isEditable(name: string, envEditable: readonly string[]): boolean {
  return KNOWN.get(name)?.editable === true || (envEditable.includes(name) && !isGuarded(name));
}

/** Why a setting of ours cannot have a value, in words that follow its name; undefined when it can, or is no setting. */
export function faultOf(name: string, value: string): string | undefined {
  const text = value.trim();
  try {
    KNOWN.get(name)?.read(text === '' ? undefined : text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
