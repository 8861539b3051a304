export type Outcome = 'found' | 'not_found' | 'ambiguous' | 'unavailable';

interface Meaning {
  readonly title: string;
  readonly sentence: string;
}

export const OUTCOMES: Readonly<Record<Outcome, Meaning>> = {
  found: {
    title: 'Found',
    sentence: 'A company with evidence that holds today. One delivered unit for each distinct company.',
  },
  not_found: {
    title: 'Not found',
    sentence:
      'Never seen by this service. Coverage is partial: that says nothing about the company. No delivered unit.',
  },
  ambiguous: {
    title: 'Ambiguous',
    sentence:
      'Current evidence ties this domain to several companies; look the one that you mean up by its id. No delivered unit.',
  },
  unavailable: {
    title: 'Unavailable',
    sentence: 'Known, but no evidence supports it now: it expired or was withdrawn. No delivered unit.',
  },
};

export function countOutcomes(
  lookups: readonly { readonly status: Outcome }[],
): readonly (readonly [Outcome, number])[] {
  return (Object.keys(OUTCOMES) as Outcome[])
    .map((outcome) => [outcome, lookups.filter(({ status }) => status === outcome).length] as const)
    .filter(([, count]) => count > 0);
}
