import { SETTINGS } from '../core/config/index.js';
import { ERROR_CODES, statusOfCode, type ErrorCode } from '../core/errors/index.js';

/** The parts of `docs/reference` that are made from the code; a test fails when a file differs from them. */
export const TABLES: readonly { readonly file: string; readonly render: () => string }[] = [
  { file: 'config.md', render: configTable },
  { file: 'errors.md', render: errorTable },
];

function configTable(): string {
  const rows = Object.values(SETTINGS).map(({ name, fallback, secret, about }) => [
    `\`${name}\``,
    `\`${fallback}\``,
    `${about}${secret ? ' Secret: never shown or logged.' : ''}`,
  ]);
  return table(['Variable', 'Default', 'Meaning'], rows);
}

function errorTable(): string {
  const rows = (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => [
    `\`${code}\``,
    String(statusOfCode(code)),
    ERROR_CODES[code].meaning,
  ]);
  return table(['Code', 'Status', 'Meaning'], rows);
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
