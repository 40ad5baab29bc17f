export const NGINX_SERVER_LIMITS: string;
export function nginxCommand(
  folder: string,
  variables: Readonly<Record<string, string>>,
  options?: { template?: string; extra?: string },
): [command: string, args: string[]];
export function caddyCommand(
  folder: string,
  variables: Readonly<Record<string, string>>,
): [command: string, args: string[], environment: Record<string, string>];
export function freePort(): Promise<number>;
