import type { Mapped, MappedCompany } from '../../connector/mapped.ts';
import type { Document, FetchRequest, Parsed, RawRecord, RunContext, Source } from '../../connector/source.ts';
import { isObject, parseJson } from '../../extract/formats/json.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { readText } from '../../extract/formats/text.ts';
import { isPerson } from '../../extract/passages/is-person.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { regionName, requireCountry } from '../../extract/places/places.ts';
import { companyNumbers } from '../../extract/values/company-numbers.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { profileObservation } from '../families/profile/profile.ts';

const HOMEPAGE = 'https://api.usaspending.gov/docs/endpoints';
const HOST = 'api.usaspending.gov';
/** A hash, and whether it is a company, its parent or neither. */
const RECIPIENT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[CPR]$/;
const MOST_RECIPIENTS = 400;
const NOT_KEPT = [
  ...['total_transaction_amount', 'total_transactions', 'total_face_value_loan_amount'],
  ...['total_face_value_loan_transactions', 'address_line1', 'address_line2', 'address_line3', 'zip4'],
  'congressional_code',
];
const COUNTRY = 'location.country_code';

export const usaspendingRecipients: Source = {
  name: 'usaspending_recipients',
  title: 'USAspending, recipients of federal awards',
  publisher: 'U.S. Department of the Treasury, Bureau of the Fiscal Service',
  homepage: HOMEPAGE,
  licence: {
    name: 'Work of the United States government, public domain',
    uri: 'https://www.usaspending.gov/about',
    attribution: 'USAspending.gov, U.S. Department of the Treasury',
  },
  kinds: ['company_profile'],
  verified: true,
  mode: 'scheduled',
  hosts: [HOST],
  politeness: { requestsPerSecond: 0.5, obeysRobots: false, maxRequestsPerRun: 400 },
  schedule: { everyMinutes: 43_200, jitterMinutes: 720 },
  settings: [{ name: 'recipients', description: 'recipient ids, separated by commas', required: true }],
  fields: {
    required: ['name', 'recipient_id', 'business_types', 'location.country_code'],
    usual: ['uei', 'duns', 'alternate_names'],
  },
  extractorVersion: 1,
  mappingVersion: 1,
  requests: requestRecipients,
  parse: parseRecipient,
  extract: extractRecipient,
  map: mapRecipient,
};

function requestRecipients({ settings }: RunContext): FetchRequest[] {
  const ids = (settings.get('recipients') ?? '').split(/[\s,]+/).filter((id) => RECIPIENT.test(id));
  return [...new Set(ids)].slice(0, MOST_RECIPIENTS).map((id) => ({
    url: `https://${HOST}/api/v2/recipient/${id}/?year=latest`,
  }));
}

async function* parseRecipient(document: Document): AsyncGenerator<Parsed> {
  const recipient: unknown = parseJson(await readText(document));
  const id = isObject(recipient) && typeof recipient.recipient_id === 'string' ? recipient.recipient_id.trim() : '';
  const known = RECIPIENT.test(id)
    ? { key: id, uri: `https://www.usaspending.gov/recipient/${id}/latest` }
    : { key: 'recipient 1', uri: HOMEPAGE };
  yield keptRecord(known, isObject(recipient) ? recipient : {}, NOT_KEPT);
}

function extractRecipient(content: string): string {
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

function mapRecipient(raw: RawRecord, text: string): Mapped[] {
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
