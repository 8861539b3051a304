import { create } from '@bufbuild/protobuf';
import { cutAtWord } from '@ces/acquisition/extract/passages/passage';
import { type CompanyRecord, CompanyRecordSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { withoutContacts } from '@ces/proto/contact-details';
import { countryAt, NotRecordable } from './catalog.ts';
import { fileIdAt, objectsAt, type Parsed, parseLine, textAt } from './fields.ts';

const NAME_CODE_POINTS = 500;

/** Throws BadLine, or NotRecordable with the reason to count. */
export function readCompanyLine(line: Buffer): Parsed<CompanyRecord> {
  const fields = parseLine(line);
  const fileId = fileIdAt(fields, 'id');
  const name = cutAtWord(withoutContacts(textAt(fields, 'name')), NAME_CODE_POINTS);
  const record = create(CompanyRecordSchema, {
    key: String(fileId),
    name,
    hostnames: objectsAt(fields, 'domains').map((domain) => textAt(domain, 'hostname')),
    country: countryAt(fields),
  });
  if (name === '') throw new NotRecordable('the name contains only contact details');
  return { fileId, record };
}
