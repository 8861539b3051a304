/** What every document about a filing carries, whatever it calls it: feeds, headers and forms each have words of their own. */
export const FORM = 'form type';
export const COMPANY = 'company name';
export const CIK = 'CIK';
export const ACCESSION = 'accession number';
export const FILED = 'filing date';
export const PERIOD = 'period of report';
export const STATE = 'state of the business address';

/** The names of those that are there, for `RawRecord.fields`. */
export function carried(values: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value?.trim() ? [name] : []));
}
