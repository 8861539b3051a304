export const DESCRIPTION =
  'Dated, evidence-backed observations about the activities of companies in Canada and the United States: search companies, look known ones up, poll background work, read the shared allowance.';
