import { normalIdentifier } from '@ces/proto/registry-identifier';
import type { Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { Document, FetchRequest, Parsed, RawRecord, RunContext, Source } from '../../connector/source.ts';
import { isObject } from '../../extract/formats/json.ts';
import { readJsonItems } from '../../extract/formats/json-stream.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { isPerson } from '../../extract/passages/is-person.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { regionName, requireCountry } from '../../extract/places/places.ts';
import { companyNumbers } from '../../extract/values/company-numbers.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { sectorOf } from '../../extract/values/naics.ts';
import { hostnameOf } from '../../extract/values/web-address.ts';
import { profileObservation } from '../families/profile/profile.ts';
import { samApi } from '../sam-api/source.ts';

const HOMEPAGE = 'https://open.gsa.gov/api/entity-api/';
const HOST = 'api.sam.gov';
/** The limit of a key without a role. */
const REQUESTS_A_RUN = 10;
const GOODS = 'assertions.goodsAndServices';
const REGISTRATION = 'entityRegistration';
const NAME = `${REGISTRATION}.legalBusinessName`;
const GENERAL = 'coreData.generalInformation';
const PERSON = /sole proprietor|individual/i;
/** Persons, their signed statements, streets and payment details. */
const NOT_KEPT = [
  ...['pointsOfContact', 'repsAndCerts', 'mailingAddress', 'addressLine1', 'addressLine2', 'zipCode'],
  ...['zipCodePlus4', 'financialInformation', 'integrityInformation', 'congressionalDistrict'],
];
const COUNTRY = 'coreData.physicalAddress.countryCode';

export const samEntity: Source = {
  name: 'sam_entity',
  title: 'SAM.gov entity registrations, interface v3',
  publisher: 'U.S. General Services Administration',
  homepage: HOMEPAGE,
  licence: samApi.licence,
  kinds: ['company_profile'],
  verified: true,
  mode: 'scheduled',
  hosts: [HOST],
  politeness: {
    requestsPerSecond: 0.5,
    obeysRobots: false,
    maxRequestsPerRun: REQUESTS_A_RUN,
    maxRequestsPerDay: REQUESTS_A_RUN,
  },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  settings: [
    { name: 'api_key', description: 'key of an account at SAM.gov', secret: true, required: true },
    { name: 'ueis', description: 'UEIs to ask for, separated by commas', required: true },
  ],
  fields: {
    required: [
      'entityRegistration.ueiSAM',
      'entityRegistration.legalBusinessName',
      'entityRegistration.registrationStatus',
      'coreData.physicalAddress.countryCode',
    ],
    usual: ['entityRegistration.cageCode', 'assertions.goodsAndServices.primaryNaics'],
  },
  extractorVersion: 1,
  mappingVersion: 1,
  requests: requestEntities,
  parse: parseEntities,
  extract: extractEntity,
  map: mapEntity,
};

/** Continues after the last requested UEI, so that runs cycle through all. */
function requestEntities({ settings, watermark = '' }: RunContext): FetchRequest[] {
  const apiKey = settings.get('api_key');
  if (!apiKey) return [];
  const listed = (settings.get('ueis') ?? '')
    .toUpperCase()
    .split(/[\s,]+/)
    .filter((uei) => normalIdentifier('uei', uei));
  const ueis = [...new Set(listed)].sort();
  const turn = [...ueis.filter((uei) => uei > watermark), ...ueis.filter((uei) => uei <= watermark)];
  return turn.slice(0, REQUESTS_A_RUN).map((uei) => {
    const query = new URLSearchParams({ ueiSAM: uei, includeSections: 'entityRegistration,coreData,assertions' });
    query.set('api_key', apiKey);
    return {
      url: `https://${HOST}/entity-information/v3/entities?${query}`,
      about: { uei },
      secretParameters: ['api_key'],
    };
  });
}

async function* parseEntities(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const item of readJsonItems(document, 'entityData')) {
    position += 1;
    yield toRecord(item, position);
  }
  const { uei } = document.about;
  if (uei) yield { type: 'newest', watermark: uei };
}

function toRecord(item: unknown, position: number): Parsed {
  const registration = isObject(item) && isObject(item.entityRegistration) ? item.entityRegistration : {};
  const { ueiSAM } = registration;
  const uei = typeof ueiSAM === 'string' ? normalIdentifier('uei', ueiSAM) : undefined;
  const uri = uei ? `https://sam.gov/entity/${uei}/coreData` : HOMEPAGE;
  return keptRecord({ key: uei ?? `entity ${position}`, uri }, isObject(item) ? item : {}, NOT_KEPT);
}

function extractEntity(content: string): string {
  const entity = readMembers(content);
  const industries = entity.list(`${GOODS}.naicsList`).map(industryOf);
  return labelledLines([
    ['Legal name', entity.text(NAME)],
    ['Doing business as', entity.text(`${REGISTRATION}.dbaName`)],
    ['Place', placeOf(entity)],
    ['Structure', entity.text(`${GENERAL}.entityStructureDesc`)],
    ['Organization', entity.text(`${GENERAL}.organizationStructureDesc`)],
    ['Primary industry', primaryOf(entity)],
    ['UEI', entity.text(`${REGISTRATION}.ueiSAM`)],
    ['CAGE code', entity.text(`${REGISTRATION}.cageCode`)],
    ['Registration', entity.text(`${REGISTRATION}.registrationStatus`)],
    ['Industries', industries.join('; ')],
  ]);
}

function mapEntity(raw: RawRecord, text: string): Mapped[] {
  const entity = readMembers(raw.content);
  const name = plainLine(entity.need(NAME));
  if (entity.need(`${REGISTRATION}.registrationStatus`) !== 'Active')
    return [{ type: 'left_out', reason: 'the registration is not active' }];
  if (entity.text(`${REGISTRATION}.publicDisplayFlag`) === 'N')
    return [{ type: 'left_out', reason: 'the entity is not displayed in public' }];
  if (isPerson(name) || PERSON.test(entity.text(`${GENERAL}.entityStructureDesc`) ?? ''))
    return [{ type: 'left_out', reason: 'the entity is a person' }];
  const company = companyOf(entity, name);
  const primary = primaryOf(entity);
  const sector = sectorOf(entity.text(`${GOODS}.primaryNaics`));
  const facts = [
    `${name} is registered for US federal awards, in ${placeOf(entity)}`,
    primary && `primary industry NAICS ${primary}`,
    `UEI ${entity.need(`${REGISTRATION}.ueiSAM`)}`,
  ];
  const observedFact = facts.filter(Boolean).join(', ');
  return [profileObservation({ company, observedFact, sector, field: NAME }, text)];
}

function companyOf(entity: Members, name: string): MappedCompany {
  const country = requireCountry(COUNTRY, entity.need(COUNTRY));
  const uei = entity.need(`${REGISTRATION}.ueiSAM`);
  if (!normalIdentifier('uei', uei)) refuse(`${REGISTRATION}.ueiSAM`, 'is none');
  const address = entity.text('coreData.entityInformation.entityURL');
  const hostname = address?.includes('@') ? undefined : hostnameOf(address);
  return {
    name,
    country,
    hostnames: hostname ? [hostname] : [],
    identifiers: companyNumbers({ uei, cage: entity.text(`${REGISTRATION}.cageCode`) }),
  };
}

function primaryOf(entity: Members): string {
  const code = entity.text(`${GOODS}.primaryNaics`);
  const named = entity.list(`${GOODS}.naicsList`).find((one) => one.text('naicsCode') === code);
  return named ? industryOf(named) : (code ?? '');
}

function industryOf(one: Members): string {
  return plainLine([one.text('naicsCode'), one.text('naicsDescription')].filter(Boolean).join(' '));
}

function placeOf(entity: Members): string {
  const address = 'coreData.physicalAddress';
  const region = entity.text(`${address}.stateOrProvinceCode`);
  const parts = [entity.text(`${address}.city`), regionName(region) ?? region, entity.text(COUNTRY)];
  return parts.filter(Boolean).join(', ');
}
