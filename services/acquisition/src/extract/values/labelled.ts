import { plainLine } from '../formats/plain.ts';

export function labelledLines(facts: readonly (readonly [label: string, value: string | undefined])[]): string {
  return facts
    .flatMap(([label, value]) => {
      const line = plainLine(value);
      return line === '' ? [] : [`${label}: ${line}`];
    })
    .join('\n');
}
