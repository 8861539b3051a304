/** What kind of action a result is of. */
export type ResultKind =
  | 'company_search'
  | 'company_lookup'
  | 'observation_search'
  | 'observation_lookup'
  | 'diagnostic';

/** By the fields that one kind alone has: a poll does not say which action it was. */
export function resultKind(result: object): ResultKind {
  if ('ranking' in result) return 'company_search';
  if ('lookups' in result) return 'company_lookup';
  if ('domains' in result) return 'observation_lookup';
  return 'observations' in result ? 'observation_search' : 'diagnostic';
}
