import type { Source } from '../../../connector/source.ts';

export const SBIR_HOST = 'api.www.sbir.gov';
export const SBIR_HOMEPAGE = 'https://www.sbir.gov/api';

export const SBIR_TERMS = {
  publisher: 'U.S. Small Business Administration, SBIR.gov',
  homepage: SBIR_HOMEPAGE,
  licence: {
    name: 'Work of the United States government, public domain',
    uri: 'https://www.usa.gov/government-works',
    attribution: 'SBIR.gov, U.S. Small Business Administration',
  },
  verified: true,
  mode: 'scheduled',
  hosts: [SBIR_HOST],
} as const satisfies Partial<Source>;

/** `_x000D_`, the OOXML escape of a carriage return. */
export function withoutReturns(text: string | undefined): string | undefined {
  return text?.replaceAll('_x000D_', '');
}

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
