import { plainLine } from './plain.ts';

/** Writes one line a fact, `label: value`. Facts without a value are left out. */
export function labelledLines(facts: readonly (readonly [label: string, value: string | undefined])[]): string {
  return facts
    .flatMap(([label, value]) => {
      const line = plainLine(value);
      return line === '' ? [] : [`${label}: ${line}`];
    })
    .join('\n');
}
