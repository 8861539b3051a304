export type Outcome = 'found' | 'not_found' | 'ambiguous' | 'unavailable';

interface Meaning {
  readonly title: string;
  readonly sentence: string;
}

export const OUTCOMES: Readonly<Record<Outcome, Meaning>> = {
  found: {
    title: 'Found',
    sentence: 'A company with valid evidence. One delivered unit for each distinct company.',
  },
  not_found: {
    title: 'Not found',
    sentence: 'Not in the record. Coverage is partial, so the company may still exist. No delivered unit.',
  },
  ambiguous: {
    title: 'Ambiguous',
    sentence:
      'Current evidence links this domain to several companies. Look up the right one by its id. No delivered unit.',
  },
  unavailable: {
    title: 'Unavailable',
    sentence: 'Known, but its evidence has expired or was withdrawn. No delivered unit.',
  },
};

export function countOutcomes(
  lookups: readonly { readonly status: Outcome }[],
): readonly (readonly [Outcome, number])[] {
  return (Object.keys(OUTCOMES) as Outcome[])
    .map((outcome) => [outcome, lookups.filter(({ status }) => status === outcome).length] as const)
    .filter(([, count]) => count > 0);
}
