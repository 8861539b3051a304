import { DateTime } from 'luxon';
import { agencyNamed } from '../../awards/agencies.ts';
import type { Members } from '../../extract/members.ts';
import { plainLine } from '../../extract/plain.ts';

/** What an opportunity carries, in whichever of its two forms. */
export const TITLE = 'opportunity title';
export const NUMBER = 'opportunity number';
export const AGENCY = 'agency name';
export const POSTED = 'posting date';

/** An opportunity as a search lists it or as it is asked for by its id. */
export interface Opportunity {
  readonly title: string | undefined;
  readonly number: string | undefined;
  readonly agency: string | undefined;
  readonly topAgency: string | undefined;
  /** `2026-05-21`. */
  readonly posted: string | undefined;
  readonly closes: string | undefined;
  readonly status: string;
  readonly instruments: readonly string[];
  readonly eligible: readonly string[];
  readonly programs: readonly string[];
}

export function readOpportunity(record: Members): Opportunity {
  const described = (path: string) =>
    record.list(`synopsis.${path}`).flatMap((one) => plainLine(one.text('description')) || []);
  return {
    title: plainLine(record.text('opportunityTitle') ?? record.text('title')),
    number: record.text('opportunityNumber') ?? record.text('number'),
    agency: plainLine(record.text('agencyDetails.agencyName') ?? record.text('agency')),
    topAgency: topAgencyOf(record),
    posted: firstDay(record, ['synopsis.postingDateStr', 'synopsis.postingDate', 'openDate']),
    closes: firstDay(record, ['synopsis.responseDateStr', 'synopsis.responseDate', 'closeDate']),
    status: statusOf(record),
    instruments: described('fundingInstruments'),
    eligible: described('applicantTypes'),
    programs: programsOf(record),
  };
}

/** The department, by its name or by the code that begins the agency's. */
function topAgencyOf(record: Members): string | undefined {
  const named = record.text('topAgencyDetails.agencyName');
  if (named !== undefined) return plainLine(named);
  const code = (record.text('agencyCode') ?? '').split('-')[0] ?? '';
  const department = agencyNamed(code);
  return department === code ? undefined : department;
}

function programsOf(record: Members): string[] {
  const listed = record.list('cfdas').map((one) => [one.text('cfdaNumber'), one.text('programTitle')]);
  const newer = record.list('alns').map((one) => [one.text('alnNumber'), one.text('programTitle')]);
  const named = [...listed, ...newer].map((parts) => parts.filter(Boolean).join(' '));
  return [...named, ...record.texts('cfdaList')].map(plainLine);
}

/** `posted`, `forecasted`, `closed` or `archived`, which an opportunity itself writes in capitals. */
function statusOf(record: Members): string {
  const status = (record.text('ost') ?? record.text('oppStatus') ?? 'posted').toLowerCase();
  return record.text('docType') === 'forecast' ? 'forecasted' : status;
}

const FORMATS = ['yyyy-MM-dd', 'MM/dd/yyyy', 'MMM d, yyyy'];
const DAY = /^(?:\d{4}-\d{2}-\d{2}|\d{2}\/\d{2}\/\d{4}|[A-Z][a-z]{2} \d{1,2}, \d{4})/;

/** `2026-05-21-00-00-00`, `05/21/2026` and `May 21, 2026 12:00:00 AM EDT` are days; midnight is how the publisher writes one. */
function firstDay(record: Members, paths: readonly string[]): string | undefined {
  const plain = paths.flatMap((path) => DAY.exec(record.text(path) ?? '')?.[0] ?? [])[0];
  const readings = FORMATS.map((format) => DateTime.fromFormat(plain ?? '', format, { zone: 'utc', locale: 'en-US' }));
  return readings.find((reading) => reading.isValid)?.toISODate() ?? undefined;
}
