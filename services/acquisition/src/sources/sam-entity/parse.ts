import { normalIdentifier } from '@ces/proto/registry-identifier';
import type { Document, FetchRequest, Parsed, RunContext } from '../../connector/source.ts';
import { isObject } from '../../extract/formats/json.ts';
import { readJsonItems } from '../../extract/formats/json-stream.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';

export const HOST = 'api.sam.gov';
export const HOMEPAGE = 'https://open.gsa.gov/api/entity-api/';
/** The limit of a key without a role. */
export const REQUESTS_A_RUN = 10;

/** Persons, their signed statements, streets and payment details. */
const NOT_KEPT = [
  ...['pointsOfContact', 'repsAndCerts', 'mailingAddress', 'addressLine1', 'addressLine2', 'zipCode'],
  ...['zipCodePlus4', 'financialInformation', 'integrityInformation', 'congressionalDistrict'],
];

/** Continues after the last requested UEI, so that runs cycle through all. */
export function requestEntities({ settings, watermark = '' }: RunContext): FetchRequest[] {
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

export async function* parseEntities(document: Document): AsyncGenerator<Parsed> {
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
