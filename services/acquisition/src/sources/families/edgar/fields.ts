export const FORM = 'form type';
export const COMPANY = 'company name';
export const CIK = 'CIK';
export const ACCESSION = 'accession number';
export const FILED = 'filing date';
export const PERIOD = 'period of report';
export const STATE = 'state of the business address';
