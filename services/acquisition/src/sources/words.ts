/** The registries whose identifiers the record knows. */
export type IdentifierScheme = 'cik' | 'lei' | 'uei' | 'bn';

/** What makes records of two sources the same event. */
export type EventScheme = 'solicitation' | 'accession' | 'permit' | 'project' | 'posting';
