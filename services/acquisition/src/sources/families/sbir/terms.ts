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
