/** What every document about a filing carries, whatever it calls it: feeds, headers and forms each have words of their own. */
export const FORM = 'form type';
export const COMPANY = 'company name';
export const CIK = 'CIK';
export const ACCESSION = 'accession number';
export const FILED = 'filing date';
export const PERIOD = 'period of report';
export const STATE = 'state of the business address';
