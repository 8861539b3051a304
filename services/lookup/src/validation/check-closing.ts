import { type KindName, kindName } from '@ces/proto/catalog';
import type { ClosingRecord } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { EventIdentifier } from '../deduplication/event-key.ts';
import { type CheckedCompany, readCompany } from './check-company.ts';
import { checkEventIdentifiers } from './check-event-identifiers.ts';
import { checkInstant, checkText, checkUri } from './check-values.ts';
import { type Checked, check, refuse } from './checked.ts';

export interface CheckedClosing {
  readonly key: string;
  readonly identifiers: readonly EventIdentifier[];
  readonly kind: KindName;
  readonly closedAt: Date;
  readonly sourceUri: string;
  readonly company: CheckedCompany | undefined;
}

export function checkClosing(record: ClosingRecord): Checked<CheckedClosing> {
  return check(() => {
    const identifiers = checkEventIdentifiers(record.eventIdentifiers);
    if (identifiers.length === 0) refuse('event_identifiers is empty');
    return {
      key: checkText('key', record.key, 512),
      identifiers,
      kind:
        record.kind === 0 ? 'procurement_request' : (kindName(record.kind) ?? refuse('kind is not one of the nine')),
      closedAt: checkInstant('closed_at', record.closedAt),
      sourceUri: checkUri(record.sourceUri),
      company: record.company && readCompany(record.company),
    };
  });
}
