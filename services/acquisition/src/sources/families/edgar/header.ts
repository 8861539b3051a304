import { refuse } from '../../../connector/refuse.ts';
import { carried } from '../../../extract/formats/members.ts';

export interface FilingHeader {
  readonly form: string | undefined;
  readonly accession: string | undefined;
  /** Date of the reported event, as `yyyyMMdd`. */
  readonly period: string | undefined;
  readonly filed: string | undefined;
  readonly fileNumber: string | undefined;
  readonly company: string | undefined;
  readonly cik: string | undefined;
  readonly state: string | undefined;
}

interface Line {
  readonly label: string;
  readonly value: string;
}

/** Headers of hundreds of filers; the first filer counts. */
const MAX_HEADER_CHARACTERS = 64 * 1024;
const CONTACT_LINE = /^.*(?:PHONE|E-?MAIL).*$\n?/gim;
const ACCESSION_NUMBER = /^\d{10}-\d{2}-\d{6}$/;

export function keptHeader(text: string): string {
  const header = between(text, '<SEC-HEADER>', '</SEC-HEADER>') ?? between(text, '<SUBMISSION>', '<DOCUMENT>') ?? '';
  return header.slice(0, MAX_HEADER_CHARACTERS).replace(CONTACT_LINE, '').trim();
}

/** Lines `LABEL: value` or tags `<LABEL>value`. Of several filers the first counts. */
export function readHeader(header: string): FilingHeader {
  const lines = linesOf(header);
  const find = (...labels: string[]) => lines.find(({ label, value }) => labels.includes(label) && value)?.value;
  return {
    form: find('CONFORMED SUBMISSION TYPE', 'TYPE'),
    accession: find('ACCESSION NUMBER', 'ACCESSION-NUMBER'),
    period: find('CONFORMED PERIOD OF REPORT', 'PERIOD'),
    filed: find('FILED AS OF DATE', 'FILING-DATE'),
    fileNumber: find('SEC FILE NUMBER', 'FILE-NUMBER'),
    company: find('COMPANY CONFORMED NAME', 'CONFORMED-NAME'),
    cik: find('CENTRAL INDEX KEY', 'CIK'),
    state: stateOf(lines),
  };
}

export function headerFields({ form, company, cik, accession, filed, period, state }: FilingHeader): string[] {
  const named = { [FORM]: form, [COMPANY]: company, [CIK]: cik, [ACCESSION]: accession, [FILED]: filed };
  return carried({ ...named, [PERIOD]: period, [STATE]: state });
}

export function checkAccession(accession: string | undefined): string {
  return accession && ACCESSION_NUMBER.test(accession) ? accession : refuse(ACCESSION, 'is none');
}

export function checkCik(cik: string | undefined): string {
  return cik && /^\d{1,10}$/.test(cik) ? cik.padStart(10, '0') : refuse(CIK, 'is none');
}

function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  if (start < 0) return undefined;
  const end = text.indexOf(close, start);
  return text.slice(start, end < 0 ? undefined : end);
}

function linesOf(header: string): Line[] {
  return header.split('\n').flatMap((line) => {
    const match = /^\s*([A-Z][A-Z ./-]*):\s*(\S.*)?$/.exec(line) ?? /^\s*<([A-Z][A-Z-]*)>(.*)$/.exec(line);
    return match ? [{ label: (match[1] ?? '').trim(), value: (match[2] ?? '').trim() }] : [];
  });
}

function stateOf(lines: readonly Line[]): string | undefined {
  const after = (label: RegExp) => {
    const start = lines.findIndex((line) => label.test(line.label));
    return start < 0 ? undefined : lines.slice(start, start + 8).find(({ label }) => label === 'STATE')?.value;
  };
  return after(/^BUSINESS[ -]ADDRESS$/) ?? after(/^MAIL[ -]ADDRESS$/);
}

export const FORM = 'form type';
export const COMPANY = 'company name';
export const CIK = 'CIK';
export const ACCESSION = 'accession number';
export const FILED = 'filing date';
export const PERIOD = 'period of report';
export const STATE = 'state of the business address';
