import type { Country } from '../words.ts';

interface Publisher {
  /** Where its buyers are when a release does not say. */
  readonly country: Country;
  /** The page of a notice, for people. */
  readonly noticePage?: (tender: string) => string;
}

/** Publishers whose buyers are all of one country, by the host of `publisher.uri`; others name the country of each buyer. */
const PUBLISHERS: Readonly<Record<string, Publisher>> = {
  'buyandsell.gc.ca': {
    country: 'CA',
    noticePage: (tender) => `https://buyandsell.gc.ca/procurement-data/tender-notice/${encodeURIComponent(tender)}`,
  },
  'canadabuys.canada.ca': { country: 'CA' },
  'ville.montreal.qc.ca': { country: 'CA' },
  'seao.gouv.qc.ca': { country: 'CA' },
};

export function findPublisher(uri: string | undefined): Publisher | undefined {
  if (uri === undefined || !URL.canParse(uri)) return undefined;
  const host = new URL(uri).hostname.replace(/^www\./, '');
  return Object.hasOwn(PUBLISHERS, host) ? PUBLISHERS[host] : undefined;
}
