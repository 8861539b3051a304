export type Kind =
  | 'procurement_request'
  | 'facility_expansion'
  | 'funding_round'
  | 'leadership_change'
  | 'product_launch'
  | 'partnership'
  | 'technology_use'
  | 'job_posting'
  | 'company_profile';

/** The countries the record covers; a connector refuses every other one by `refuse('country', …)`. */
export type Country = 'CA' | 'US';

/** The registries whose identifiers the record knows. */
export type IdentifierScheme = 'cik' | 'lei' | 'uei' | 'bn';

/** What makes records of two sources the same event. */
export type EventScheme = 'solicitation' | 'accession' | 'permit' | 'project' | 'posting';
