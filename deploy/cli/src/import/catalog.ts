import { COUNTRY_NAMES, countryOf, KIND_NAMES, kindOf } from '@ces/proto/catalog';
import type { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { BadLine, type Fields, textAt } from './fields.ts';

/** Well-formed; the tally counts by message. */
export class NotRecordable extends Error {
  override readonly name = 'NotRecordable';
}

export function countryAt(fields: Fields): Country {
  const text = textAt(fields, 'country');
  const name = COUNTRY_NAMES.find((one) => one === text);
  if (name === undefined) throw new NotRecordable('the country is neither CA nor US');
  return countryOf(name);
}

export function kindAt(fields: Fields): Kind {
  const text = textAt(fields, 'kind');
  const name = KIND_NAMES.find((one) => one === text);
  if (name === undefined) throw new BadLine(`kind must be one of ${KIND_NAMES.join(', ')}`);
  return kindOf(name);
}
