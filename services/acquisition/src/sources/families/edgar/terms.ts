import type { Source, SourceSetting } from '../../../connector/source.ts';

export const HOMEPAGE = 'https://www.sec.gov/search-filings/edgar-search-assistance/accessing-edgar-data';
export const FILES_HOST = 'www.sec.gov';
export const DATA_HOST = 'data.sec.gov';

/** The SEC allows ten requests a second over all hosts; the sum of both is lower. */
export const FILES_PER_SECOND = 5;
export const DATA_PER_SECOND = 4;

/** The SEC answers 403 without a contact, which the fetcher puts into User-Agent. */
const CONTACT: SourceSetting = {
  name: 'contact',
  description: 'name and e-mail address that the SEC may write to about these requests, sent as part of User-Agent',
  required: true,
};

export const EDGAR_TERMS = {
  publisher: 'U.S. Securities and Exchange Commission',
  homepage: HOMEPAGE,
  licence: {
    name: 'Public domain, United States Government work',
    uri: 'https://www.sec.gov/about/privacy-information#dissemination',
    attribution: 'EDGAR, U.S. Securities and Exchange Commission',
  },
  verified: true,
  mode: 'scheduled',
  settings: [CONTACT],
} as const satisfies Partial<Source>;
