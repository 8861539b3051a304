import type { Source } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { SourceTerms } from '../db/source.ts';
import { checkUri } from './check-observation.ts';
import { type Checked, check, checkText } from './checked.ts';

/** A source to register, or why it is refused. */
export function checkSource(source: Source): Checked<SourceTerms> {
  return check(() => ({
    name: checkText('name', source.name, 100),
    title: checkText('title', source.title, 200),
    publisher: checkText('publisher', source.publisher, 200),
    licence: checkText('licence', source.licence, 200),
    licenceUri: source.licenceUri === '' ? undefined : checkUri(source.licenceUri),
    attribution: checkText('attribution', source.attribution, 1000),
    homepage: source.homepage === '' ? undefined : checkUri(source.homepage),
  }));
}
