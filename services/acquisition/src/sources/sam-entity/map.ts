import { normalIdentifier } from '@ces/proto/registry-identifier';
import type { Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { isPerson } from '../../extract/passages/is-person.ts';
import { regionName, requireCountry } from '../../extract/places/places.ts';
import { companyNumbers } from '../../extract/values/company-numbers.ts';
import { hostnameOf } from '../../extract/values/hostnames.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { sectorOf } from '../../extract/values/naics.ts';
import { profileObservation } from '../families/profile/profile.ts';

const REGISTRATION = 'entityRegistration';
const GENERAL = 'coreData.generalInformation';
const COUNTRY = 'coreData.physicalAddress.countryCode';
const NAME = `${REGISTRATION}.legalBusinessName`;
const GOODS = 'assertions.goodsAndServices';
const PERSON = /sole proprietor|individual/i;

export function extractEntity(content: string): string {
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

export function mapEntity(raw: RawRecord, text: string): Mapped[] {
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
