import type { CountryName } from '@ces/proto/catalog';

interface Publisher {
  /** Where its buyers are when a release does not say. */
  readonly country: CountryName;
  /** Whether `tender.id` is a number of the whole country's, under which other sources publish the tender too. */
  readonly numbersNationally: boolean;
  /** The page of a notice, for people. */
  readonly noticePage?: (tenderId: string) => string;
  /** Which of the details all of its releases have; without them they would say something else. */
  readonly gives?: readonly Detail[];
}

/** Members of a release that the standard leaves to the publisher and that decide what is said of a tender. */
export const DETAILS = [
  'tender.id',
  'tender.tenderPeriod.endDate',
  'tender.items.classification.description',
  'tender.methodRationale',
] as const;
export type Detail = (typeof DETAILS)[number];

/** Publishers whose buyers are all of one country, by the host of `publisher.uri`; others name the country of each buyer. */
const PUBLISHERS: Readonly<Record<string, Publisher>> = {
  'buyandsell.gc.ca': {
    country: 'CA',
    numbersNationally: true,
    gives: DETAILS,
    noticePage: (tenderId) => `https://buyandsell.gc.ca/procurement-data/tender-notice/${encodeURIComponent(tenderId)}`,
  },
  'canadabuys.canada.ca': { country: 'CA', numbersNationally: true },
  'ville.montreal.qc.ca': { country: 'CA', numbersNationally: false },
  'seao.gouv.qc.ca': { country: 'CA', numbersNationally: false },
};

export function findPublisher(uri: string | undefined): Publisher | undefined {
  if (uri === undefined || !URL.canParse(uri)) return undefined;
  const host = new URL(uri).hostname.replace(/^www\./, '');
  return Object.hasOwn(PUBLISHERS, host) ? PUBLISHERS[host] : undefined;
}
