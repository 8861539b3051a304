export interface Units {
  readonly request_units: number;
  readonly delivered_units: number;
  readonly fresh_evidence_units: number;
}

export function sumOf(entries: readonly Units[]): Units {
  const total = (name: keyof Units) => entries.reduce((sum, entry) => sum + entry[name], 0);
  return {
    request_units: total('request_units'),
    delivered_units: total('delivered_units'),
    fresh_evidence_units: total('fresh_evidence_units'),
  };
}

export interface Comparison {
  readonly name: keyof Units;
  readonly entries: number;
  readonly totals: number;
  readonly report: number | undefined;
  readonly agrees: boolean;
}

export function compare(entries: readonly Units[], totals: Units, report: Units | undefined): readonly Comparison[] {
  const sum = sumOf(entries);
  return (['request_units', 'delivered_units', 'fresh_evidence_units'] as const).map((name) => {
    const numbers = { entries: sum[name], totals: totals[name], report: report?.[name] };
    const agrees = numbers.entries === numbers.totals && (numbers.report ?? numbers.totals) === numbers.totals;
    return { name, ...numbers, agrees };
  });
}
