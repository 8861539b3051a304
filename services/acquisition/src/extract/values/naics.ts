const RANGES: Readonly<Record<string, string>> = {
  31: '31-33',
  32: '31-33',
  33: '31-33',
  44: '44-45',
  45: '44-45',
  48: '48-49',
  49: '48-49',
};
const SINGLE: ReadonlySet<string> = new Set('11 21 22 23 42 51 52 53 54 55 56 61 62 71 72 81 92'.split(' '));

export function sectorOf(code: string | undefined): string | undefined {
  const prefix = /^\s*(\d{2})\d{0,4}\s*$/.exec(code ?? '')?.[1];
  if (prefix === undefined) return undefined;
  return RANGES[prefix] ?? (SINGLE.has(prefix) ? prefix : undefined);
}
