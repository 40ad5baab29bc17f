interface Payload {
  readonly action?: string;
  readonly ref?: string;
  readonly commits?: readonly unknown[];
  readonly repository?: { readonly full_name?: string };
  readonly sender?: { readonly login?: string };
  readonly issue?: Item;
  readonly pull_request?: Item & { readonly merged?: boolean };
  readonly release?: { readonly tag_name?: string };
}

interface Item {
  readonly number?: number;
  readonly title?: string;
}

/** What an event says in a sentence; nothing for those that few people want to hear of. */
export function sentenceOf(event: string, body: unknown): string | undefined {
  const payload = (body ?? {}) as Payload;
  const where = payload.repository?.full_name ?? 'a repository';
  const who = payload.sender?.login ?? 'Somebody';
  if (event === 'push') {
    const count = payload.commits?.length ?? 0;
    const branch = payload.ref?.replace('refs/heads/', '') ?? 'a branch';
    return count === 0 ? undefined : `${who} pushed ${count} commit${count === 1 ? '' : 's'} to ${branch} of ${where}.`;
  }
  if (event === 'issues' && payload.issue) return `${who} ${payload.action} issue ${titleOf(payload.issue)} in ${where}.`;
  if (event === 'pull_request' && payload.pull_request) {
    const done = payload.pull_request.merged === true && payload.action === 'closed' ? 'merged' : payload.action;
    return `${who} ${done} pull request ${titleOf(payload.pull_request)} in ${where}.`;
  }
  if (event === 'release' && payload.action === 'published') return `${who} published ${payload.release?.tag_name} of ${where}.`;
  return undefined;
}

function titleOf({ number, title }: Item): string {
  return `#${number} “${title}”`;
}
