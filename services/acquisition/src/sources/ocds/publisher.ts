import type { CountryName } from '@ces/proto/catalog';
import type { Members } from '../../extract/formats/members.ts';
import { pathPart } from '../../extract/values/web-address.ts';

interface Publisher {
  /** Country of its buyers if a release does not state it. */
  readonly country: CountryName;
  /** Whether `tender.id` is a national number, under which other sources publish the tender too. */
  readonly numbersNationally: boolean;
  readonly noticePage?: (tenderId: string) => string;
  /** Details that all of its releases have. A release without them would say something else. */
  readonly gives?: readonly Detail[];
}

/** Members that the standard leaves to the publisher and that decide what the observation says. */
export const DETAILS = [
  'tender.id',
  'tender.tenderPeriod.endDate',
  'tender.items.classification.description',
  'tender.methodRationale',
] as const;
type Detail = (typeof DETAILS)[number];

/**
 * Publishers whose buyers are all in one country, by host of `publisher.uri`. Others state the
 * country of each buyer.
 */
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

/** Bilingual publishers suffix the names of members with the language. */
export function localText(members: Members, path: string): string | undefined {
  return members.text(path) ?? members.text(`${path}_en`) ?? members.text(`${path}_fr`);
}
