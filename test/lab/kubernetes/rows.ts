/** Parts of a run by their names, in their order; what others need is done all the same. */
export const ROWS = [
  'install',
  'contract',
  'edges',
  'changes',
  'scaling',
  'rotation',
  'broker',
  'certificates',
  'dns',
  'postgres',
  'restore',
] as const;
export type RowName = (typeof ROWS)[number];

/** Those that look at the product beside the one Postgres. */
const OF_PRODUCT: readonly RowName[] = ROWS.slice(ROWS.indexOf('install'), ROWS.indexOf('postgres'));

/** Those during which a subscriber calls. */
const UNDER_CALLS: readonly RowName[] = ROWS.slice(ROWS.indexOf('changes'), ROWS.indexOf('postgres'));

export function needsCalls(rows: readonly RowName[]): boolean {
  return rows.some((row) => UNDER_CALLS.includes(row));
}

export function needsProduct(rows: readonly RowName[]): boolean {
  return needsInstall(rows) || needsDatabases(rows);
}

/** Whether the chart is to make its databases. */
export function needsDatabases(rows: readonly RowName[]): boolean {
  return rows.includes('postgres') || rows.includes('restore');
}

/** Whether it is installed by the first words of the guide. */
export function needsInstall(rows: readonly RowName[]): boolean {
  return rows.some((row) => OF_PRODUCT.includes(row));
}

/** Names as `install,edges`; undefined means all. Undefined comes back where one of them is none. */
export function readRows(text: string | undefined): readonly RowName[] | undefined {
  if (text === undefined) return ROWS;
  const names = text.split(',');
  const known = ROWS.filter((row) => names.includes(row));
  return known.length === names.length ? known : undefined;
}
