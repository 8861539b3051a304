export function linkedGroups<T>(items: readonly T[], linksOf: (item: T) => readonly string[]): T[][] {
  const parents = items.map((_, index) => index);
  const rootOf = (index: number): number => {
    let at = index;
    for (let parent = parents[at] as number; parent !== at; parent = parents[at] as number) {
      parents[at] = parents[parent] as number;
      at = parent;
    }
    return at;
  };
  const firstWith = new Map<string, number>();
  for (const [index, item] of items.entries())
    for (const link of linksOf(item)) {
      const first = firstWith.get(link);
      if (first === undefined) firstWith.set(link, index);
      else parents[rootOf(index)] = rootOf(first);
    }
  return [...Map.groupBy(items.keys(), rootOf).values()].map((indexes) => indexes.map((index) => items[index] as T));
}
