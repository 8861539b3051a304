import type { Document, FetchRequest, Parsed, RunContext } from '../../connector/source.ts';
import { isObject, parseJson } from '../../extract/formats/json.ts';
import { readText } from '../../extract/formats/text.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';

export const HOST = 'api.usaspending.gov';
export const HOMEPAGE = 'https://api.usaspending.gov/docs/endpoints';

/** A hash, and whether it is a company, its parent or neither. */
const RECIPIENT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[CPR]$/;
const MOST_RECIPIENTS = 400;

const NOT_KEPT = [
  ...['total_transaction_amount', 'total_transactions', 'total_face_value_loan_amount'],
  ...['total_face_value_loan_transactions', 'address_line1', 'address_line2', 'address_line3', 'zip4'],
  'congressional_code',
];

export function requestRecipients({ settings }: RunContext): FetchRequest[] {
  const ids = (settings.get('recipients') ?? '').split(/[\s,]+/).filter((id) => RECIPIENT.test(id));
  return [...new Set(ids)].slice(0, MOST_RECIPIENTS).map((id) => ({
    url: `https://${HOST}/api/v2/recipient/${id}/?year=latest`,
  }));
}

export async function* parseRecipient(document: Document): AsyncGenerator<Parsed> {
  const recipient: unknown = parseJson(await readText(document));
  const id = isObject(recipient) && typeof recipient.recipient_id === 'string' ? recipient.recipient_id.trim() : '';
  const known = RECIPIENT.test(id)
    ? { key: id, uri: `https://www.usaspending.gov/recipient/${id}/latest` }
    : { key: 'recipient 1', uri: HOMEPAGE };
  yield keptRecord(known, isObject(recipient) ? recipient : {}, NOT_KEPT);
}
