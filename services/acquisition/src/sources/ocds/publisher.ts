import type { CountryName } from '@ces/proto/catalog';
import type { Members } from '../../extract/members.ts';
import { pathPart } from '../../extract/web-address.ts';

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

/** Members of a release that the standard leaves to the publisher and that decide what its observation says. */
export const DETAILS = [
  'tender.id',
  'tender.tenderPeriod.endDate',
  'tender.items.classification.description',
  'tender.methodRationale',
] as const;
type Detail = (typeof DETAILS)[number];

/** Publishers whose buyers are all of one country, by the host of `publisher.uri`; others name the country of each buyer. */
const PUBLISHERS: Readonly<Record<string, Publisher>> = {
  'buyandsell.gc.ca': {
    country: 'CA',
    numbersNationally: true,
    gives: DETAILS,
    noticePage: (tenderId) => `https://buyandsell.gc.ca/procurement-data/tender-notice/${pathPart(tenderId)}`,
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

/** A text in the publisher's language, else in English or French, as bilingual publishers name the members. */
export function localText(members: Members, path: string): string | undefined {
  return members.text(path) ?? members.text(`${path}_en`) ?? members.text(`${path}_fr`);
}
