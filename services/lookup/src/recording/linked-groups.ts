/** For each item, by its links, the number of its group: items that share a link, be it through others, are of one. */
export function groupsOf(linksOfItems: readonly (readonly string[])[]): number[] {
  const parents = linksOfItems.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] as number;
    parents[index] = root;
    return root;
  };
  const firstWith = new Map<string, number>();
  for (const [index, links] of linksOfItems.entries())
    for (const link of links) {
      const first = firstWith.get(link);
      if (first === undefined) firstWith.set(link, index);
      else parents[rootOf(index)] = rootOf(first);
    }
  return linksOfItems.map((_, index) => rootOf(index));
}
