type Follower = WeakRef<AbortController>;

/** Keeps the controller and the own signal alive as long as the new signal. */
const keptAlive = new WeakMap<AbortSignal, { controller: AbortController; own: AbortSignal }>();
const followersOf = new WeakMap<AbortSignal, Set<Follower>>();
const cleanUp = new FinalizationRegistry<{ follower: Follower; sources: readonly WeakRef<AbortSignal>[] }>(({ follower, sources }) => {
  for (const source of sources) {
    const signal = source.deref();
    if (signal) followersOf.get(signal)?.delete(follower);
  }
});

/**
 * Like `AbortSignal.any`, for signals that live much longer than the work under the new one: on Node 20, each call of `AbortSignal.any`
 * leaks memory on its source signals.
 *
 * @param own    referenced by the work, or by the new signal, as long as the work runs
 * @param others may be long-lived
 */
export function anySignal(own: AbortSignal, ...others: readonly AbortSignal[]): AbortSignal {
  if (others.length === 0 || others.every((other) => other === own)) return own;
  const controller = new AbortController();
  const aborted = [own, ...others].find((source) => source.aborted);
  if (aborted) {
    controller.abort(aborted.reason);
    return controller.signal;
  }
  keptAlive.set(controller.signal, { controller, own });
  own.addEventListener('abort', () => controller.abort(own.reason), { once: true });
  const follower = new WeakRef(controller);
  for (const other of others) followersAt(other).add(follower);
  cleanUp.register(controller, { follower, sources: others.map((other) => new WeakRef(other)) });
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

/** Number of signals that depend on this one; for tests. */
export function followerCount(source: AbortSignal): number {
  return followersOf.get(source)?.size ?? 0;
}
