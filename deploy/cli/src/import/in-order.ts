/** Runs at most `limit` at once, results in order. After a failure, awaits calls in progress. */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  limit: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<Settled<R>>[] = [];
  const failures: unknown[] = [];
  const source = items[Symbol.asyncIterator]();
  for (let more = true; more || underWay.length > 0; ) {
    while (more && underWay.length < limit && failures.length === 0) {
      const next = await settle(source.next());
      if ('error' in next) failures.push(next.error);
      if ('error' in next || next.value.done) more = false;
      else underWay.push(settle(map(next.value.value)));
    }
    const oldest = await underWay.shift();
    if (oldest === undefined) break;
    if ('error' in oldest) failures.push(oldest.error);
    else yield oldest.value;
  }
  await source.return?.();
  if (failures.length > 0) throw failures[0];
}

type Settled<R> = { readonly value: R } | { readonly error: unknown };

function settle<R>(promise: Promise<R>): Promise<Settled<R>> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}
