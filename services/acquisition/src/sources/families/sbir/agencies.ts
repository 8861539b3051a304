const AGENCIES: Readonly<Record<string, string>> = {
  DHS: 'Department of Homeland Security',
  DOC: 'Department of Commerce',
  DOD: 'Department of Defense',
  DOE: 'Department of Energy',
  DOI: 'Department of the Interior',
  DOL: 'Department of Labor',
  DOS: 'Department of State',
  DOT: 'Department of Transportation',
  DOW: 'Department of Defense',
  ED: 'Department of Education',
  EPA: 'Environmental Protection Agency',
  HHS: 'Department of Health and Human Services',
  HUD: 'Department of Housing and Urban Development',
  NASA: 'National Aeronautics and Space Administration',
  NRC: 'Nuclear Regulatory Commission',
  NSF: 'National Science Foundation',
  PAMS: 'Department of Energy',
  USDA: 'Department of Agriculture',
  USDOJ: 'Department of Justice',
  VA: 'Department of Veterans Affairs',
};

export function agencyNamed(text: string): string {
  return (Object.hasOwn(AGENCIES, text) ? AGENCIES[text] : undefined) ?? text;
}
