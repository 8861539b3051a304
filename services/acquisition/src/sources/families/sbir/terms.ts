import type { Licence } from '../../../connector/source.ts';

export const SBIR_HOST = 'api.www.sbir.gov';
export const SBIR_HOMEPAGE = 'https://www.sbir.gov/api';
export const SBIR_PUBLISHER = 'U.S. Small Business Administration, SBIR.gov';
export const SBIR_LICENCE: Licence = {
  name: 'Work of the United States government, public domain',
  uri: 'https://www.usa.gov/government-works',
  attribution: 'SBIR.gov, U.S. Small Business Administration',
};

/** `_x000D_`, the OOXML escape of a carriage return. */
export function withoutReturns(text: string | undefined): string | undefined {
  return text?.replaceAll('_x000D_', '');
}
