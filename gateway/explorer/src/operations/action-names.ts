const NAMES: Readonly<Record<string, string>> = {
  company_search: 'Company search',
  company_lookup: 'Company look-up',
  observation_search: 'Observation search',
  observation_lookup: 'Observation look-up',
  diagnostic: 'Diagnostic',
  unknown: 'No longer stored',
};

export const ACTIONS = [
  'company_search',
  'company_lookup',
  'observation_search',
  'observation_lookup',
  'diagnostic',
] as const;

export function actionName(action: string): string {
  return NAMES[action] ?? action;
}
