type Follower = WeakRef<AbortController>;

/** What a signal that was made here needs to be aborted: it is there as long as the signal is. */
const neededBy = new WeakMap<AbortSignal, { controller: AbortController; own: AbortSignal }>();
const followersOf = new WeakMap<AbortSignal, Set<Follower>>();
const forgotten = new FinalizationRegistry<{ follower: Follower; sources: readonly WeakRef<AbortSignal>[] }>(({ follower, sources }) => {
  for (const source of sources) {
    const signal = source.deref();
    if (signal) followersOf.get(signal)?.delete(follower);
  }
});

/**
 * A signal that aborts with the first of these, where some live much longer than what is done under the new one: for each call
 * `AbortSignal.any` leaves something behind at them that is never removed (Node 20).
 *
 * @param own    is held for as long as the work goes on, or the new signal is
 * @param others may live for ever
 */
export function anySignal(own: AbortSignal, ...others: readonly AbortSignal[]): AbortSignal {
  if (others.length === 0 || others.every((other) => other === own)) return own;
  const controller = new AbortController();
  const aborted = [own, ...others].find((source) => source.aborted);
  if (aborted) {
    controller.abort(aborted.reason);
    return controller.signal;
  }
  neededBy.set(controller.signal, { controller, own });
  own.addEventListener('abort', () => controller.abort(own.reason), { once: true });
  const follower = new WeakRef(controller);
  for (const other of others) followersAt(other).add(follower);
  forgotten.register(controller, { follower, sources: others.map((other) => new WeakRef(other)) });
  return controller.signal;
}

function followersAt(source: AbortSignal): Set<Follower> {
  const known = followersOf.get(source);
  if (known) return known;
  const followers = new Set<Follower>();
  followersOf.set(source, followers);
  source.addEventListener(
    'abort',
    () => {
      for (const follower of followers) follower.deref()?.abort(source.reason);
      followers.clear();
    },
    { once: true },
  );
  return followers;
}

/** How many signals follow this one; for tests. */
export function followerCount(source: AbortSignal): number {
  return followersOf.get(source)?.size ?? 0;
}
