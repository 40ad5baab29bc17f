import { registeredSettings } from './config.js';
import type { Setting } from './settings.js';

/** Service addresses of an agent. */
const AGENT_ADDRESS = /^CHARACTER\..+_BASE_URL$/;

/** Variables that Node.js, the dynamic loader, shells, interpreters and libraries read: they can load code or redirect files and traffic. */
const FOREIGN_VARIABLES = [
  /^(NODE|NPM|NPM_CONFIG|JITI|BABEL|TS_NODE|NEST|UV|TYPEORM|SQLITE)_/,
  /^(LD|DYLD|GCONV|GLIBC|MALLOC|NSS|SSL|OPENSSL|CURL|GIT|SSH|SUDO|XDG|SYSTEMD)_/,
  /^(BASH|ZSH|PYTHON|PERL|RUBY|JAVA|JDK|FFREPORT|PG[A-Z]+$)/,
  /(^|_)(PROXY|PRELOAD|TOOL_OPTIONS)$/,
  /^(PATH|PATHEXT|HOME|HOMEPATH|USERPROFILE|SHELL|COMSPEC|ENV|CDPATH|FPATH|ZDOTDIR|IFS|PS[0-4]|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|BROWSER)$/,
  /^(TMPDIR|TMP|TEMP|TZ|TZDIR|LOCPATH|LOCALDOMAIN|RES_OPTIONS|HOSTALIASES|PWD|OLDPWD|USER|USERNAME|LOGNAME|DEBUG)$/,
];

/** Whether a variable must not be changed over HTTP, even if ENV_EDITABLE lists it. Case-insensitive. */
export function isProtected(name: string): boolean {
  const upper = name.toUpperCase();
  return isProtectedSetting(upper) || AGENT_ADDRESS.test(upper) || FOREIGN_VARIABLES.some((family) => family.test(upper));
}

/** Whether an administrator may change a variable over HTTP. */
export function isEditable(name: string, envEditable: readonly string[]): boolean {
  return settingNamed(name)?.editable === true || (envEditable.includes(name) && !isProtected(name));
}

/** Why a value is invalid for a setting, to be appended to the setting's name. Undefined when it is valid or `name` is not a setting. */
export function settingError(name: string, value: string): string | undefined {
  const text = value.trim();
  try {
    settingNamed(name)?.read(text === '' ? undefined : text, '');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function settingNamed(name: string): Setting<unknown> | undefined {
  return registeredSettings().find((setting) => setting.name === name);
}

function isProtectedSetting(name: string): boolean {
  return registeredSettings().some((setting) => setting.alias === name || (setting.name === name && !setting.editable));
}
