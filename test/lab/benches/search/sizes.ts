import { Refusal } from '@ces/cli/refusal';

const MULTIPLES: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

export function readSize(text: string, usage: string): number {
  const [, count, multiple = ''] = /^([1-9]\d{0,2})([km])$/.exec(text) ?? [];
  if (count === undefined) throw new Refusal(`--size is a number of thousands or millions, as 100k or 1m: ${usage}`);
  return Number(count) * (MULTIPLES[multiple] ?? 1);
}
