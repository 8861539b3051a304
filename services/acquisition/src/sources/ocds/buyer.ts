import type { CountryName } from '@ces/proto/catalog';
import { refuse } from '../../connector/refuse.ts';
import type { Members } from '../../extract/formats/members.ts';
import { countryNamed } from '../../extract/places/places.ts';
import { findPublisher, localText } from './publisher.ts';

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
