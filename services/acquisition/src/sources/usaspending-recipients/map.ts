import type { Mapped, MappedCompany } from '../../connector/mapped.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { isPerson } from '../../extract/passages/is-person.ts';
import { regionName, requireCountry } from '../../extract/places/places.ts';
import { companyNumbers } from '../../extract/values/company-numbers.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { profileObservation } from '../families/profile/profile.ts';

const COUNTRY = 'location.country_code';

export function extractRecipient(content: string): string {
  const recipient = readMembers(content);
  return labelledLines([
    ['Recipient', recipient.text('name')],
    ['Other names', recipient.texts('alternate_names').join('; ')],
    ['Place', placeOf(recipient)],
    ['Business types', typesOf(recipient)],
    ['Parent', parentOf(recipient)],
    ['UEI', recipient.text('uei')],
    ['DUNS', recipient.text('duns')],
  ]);
}

export function mapRecipient(raw: RawRecord, text: string): Mapped[] {
  const recipient = readMembers(raw.content);
  const name = plainLine(recipient.need('name'));
  const types = recipient.texts('business_types');
  if (isPerson(name) || types.some((type) => /^(?:individuals?|sole_proprietorship)$/.test(type)))
    return [{ type: 'left_out', reason: 'the recipient is a person' }];
  if (!types.includes('category_business')) return [{ type: 'left_out', reason: 'the recipient is no business' }];
  const company = companyOf(recipient, name);
  const [uei, parent] = [recipient.text('uei'), parentOf(recipient)];
  const facts = [
    `${name} is a business in ${placeOf(recipient)} that is on record as a recipient of US federal awards`,
    uei && `UEI ${uei}`,
    parent && `its parent is ${parent}`,
  ];
  return [profileObservation({ company, observedFact: facts.filter(Boolean).join(', '), field: 'name' }, text)];
}

function companyOf(recipient: Members, name: string): MappedCompany {
  const country = requireCountry(COUNTRY, recipient.need(COUNTRY));
  return {
    name,
    country,
    hostnames: [],
    identifiers: companyNumbers({ uei: recipient.text('uei'), duns: recipient.text('duns') }),
  };
}

function parentOf(recipient: Members): string | undefined {
  const parent = recipient.text('parent_name');
  return parent && recipient.text('parent_uei') !== recipient.text('uei') ? plainLine(parent) : undefined;
}

function typesOf(recipient: Members): string {
  return recipient.texts('business_types').join(', ').replaceAll('_', ' ');
}

function placeOf(recipient: Members): string {
  const region = recipient.text('location.state_code') ?? recipient.text('location.foreign_province');
  const parts = [recipient.text('location.city_name'), regionName(region) ?? region, recipient.text(COUNTRY)];
  return parts.filter(Boolean).join(', ');
}
