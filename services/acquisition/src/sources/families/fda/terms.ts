import type { Licence } from '../../../connector/source.ts';

export const FDA_HOST = 'api.fda.gov';
export const FDA_PUBLISHER = 'U.S. Food and Drug Administration, openFDA';
export const FDA_LICENCE: Licence = {
  name: 'Creative Commons CC0 1.0, by the terms of openFDA',
  uri: 'https://open.fda.gov/license/',
  attribution: 'openFDA, U.S. Food and Drug Administration',
};
