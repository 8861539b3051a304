import type { Licence } from '../sources/source.ts';

export const USASPENDING_HOST = 'api.usaspending.gov';
export const USASPENDING_HOMEPAGE = 'https://api.usaspending.gov/docs/endpoints';
export const USASPENDING_PUBLISHER = 'U.S. Department of the Treasury, Bureau of the Fiscal Service';
export const USASPENDING_LICENCE: Licence = {
  name: 'Work of the United States government, public domain',
  uri: 'https://www.usaspending.gov/about',
  attribution: 'USAspending.gov, U.S. Department of the Treasury',
};
