const NUMBER = new Intl.NumberFormat('en-US');

/** 1 request unit; 1,200 delivered units. */
export function unitsInWords(units: number, kind: 'request' | 'delivered' | 'fresh-evidence'): string {
  return `${NUMBER.format(units)} ${kind} ${units === 1 ? 'unit' : 'units'}`;
}
