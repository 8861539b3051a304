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
    posted: dayOf(record.text('synopsis.postingDate') ?? record.text('openDate')),
    closes: dayOf(record.text('synopsis.responseDate') ?? record.text('closeDate')),
    status: record.text('docType') === 'forecast' ? 'forecasted' : (record.text('oppStatus') ?? 'posted'),
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

/** `05/21/2026` and `May 21, 2026 12:00:00 AM EDT` are days; midnight is how the publisher writes one. */
function dayOf(text: string | undefined): string | undefined {
  const plain = /^(?:\d{2}\/\d{2}\/\d{4}|[A-Z][a-z]{2} \d{2}, \d{4})/.exec(text ?? '')?.[0];
  if (plain === undefined) return undefined;
  const format = plain.includes('/') ? 'MM/dd/yyyy' : 'MMM dd, yyyy';
  return DateTime.fromFormat(plain, format, { zone: 'utc', locale: 'en-US' }).toISODate() ?? undefined;
}
