/** Parts of a run in order. Prerequisites of a selected part always run. */
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
] as const;
export type RowName = (typeof ROWS)[number];

const OF_PRODUCT: readonly RowName[] = ROWS.slice(ROWS.indexOf('install'), ROWS.indexOf('postgres'));

const UNDER_CALLS: readonly RowName[] = ROWS.slice(ROWS.indexOf('changes'), ROWS.indexOf('postgres'));

export function needsCalls(rows: readonly RowName[]): boolean {
  return rows.some((row) => UNDER_CALLS.includes(row));
}

export function needsInstall(rows: readonly RowName[]): boolean {
  return rows.some((row) => OF_PRODUCT.includes(row));
}

/**
 * Parses names such as `install,edges`. Undefined selects all. Returns undefined for an unknown
 * name.
 */
export function readRows(text: string | undefined): readonly RowName[] | undefined {
  if (text === undefined) return ROWS;
  const names = text.split(',');
  const known = ROWS.filter((row) => names.includes(row));
  return known.length === names.length ? known : undefined;
}
