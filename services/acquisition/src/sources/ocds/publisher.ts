import type { CountryName } from '@ces/proto/catalog';
import { refuse } from '../../connector/refuse.ts';
import type { Members } from '../../extract/formats/members.ts';
import { countryNamed } from '../../extract/places/places.ts';
import { pathPart } from '../../extract/values/web-address.ts';

interface Publisher {
  readonly country: CountryName;
  readonly numbersNationally: boolean;
  readonly noticePage?: (tenderId: string) => string;
  /** A release without these would say something else. */
  readonly gives?: readonly Detail[];
}

/** Left to the publisher by the standard; they decide what the observation says. */
export const DETAILS = [
  'tender.id',
  'tender.tenderPeriod.endDate',
  'tender.items.classification.description',
  'tender.methodRationale',
] as const;
type Detail = (typeof DETAILS)[number];

/** Publishers by host of `publisher.uri`. Others state the country of each buyer. */
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

const COUNTRY = 'buyer.address.countryName';

/** Some publishers leave `buyer` blank and name the buyer among the parties. */
export function findBuyer(release: Members): string | undefined {
  const [buyer] = [...partiesOf(release, 'buyer'), ...partiesOf(release, 'procuringEntity')];
  return localText(release, 'buyer.name') ?? (buyer && localText(buyer, 'name'));
}

export function countryOf(release: Members): CountryName {
  const found = findCountry(release);
  if (found) return found;
  return addressCountry(release) === undefined
    ? refuse(COUNTRY, 'is missing, and the publisher is not known to be of one country')
    : refuse(COUNTRY, 'is neither Canada nor the United States');
}

/** Uses the buyer's address, else the publisher's only country. */
export function findCountry(release: Members): CountryName | undefined {
  const named = addressCountry(release);
  return named === undefined ? findPublisher(release.text('publisher.uri'))?.country : countryNamed(named);
}

function addressCountry(release: Members): string | undefined {
  const [named] = partiesOf(release, 'buyer').flatMap(
    (party) => party.text('address.countryName') ?? party.text('address.country') ?? [],
  );
  return release.text(COUNTRY) ?? named;
}

function partiesOf(release: Members, role: string): Members[] {
  return release.list('parties').filter((party) => party.texts('roles').includes(role));
}
