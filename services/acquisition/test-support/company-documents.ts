import { gleif } from '../src/sources/gleif/source.ts';
import { greenhouse } from '../src/sources/greenhouse/source.ts';
import { lever } from '../src/sources/lever/source.ts';
import { sec8k } from '../src/sources/sec-8k/source.ts';
import { secFormD } from '../src/sources/sec-form-d/source.ts';
import { secProfiles } from '../src/sources/sec-profiles/source.ts';
import type { SourceDocument } from './tender-documents.ts';

/** The documents of the sources of companies, their filings and positions: invented ones in each source's own format. */
export const COMPANY_JSON: readonly SourceDocument[] = [
  { source: gleif, path: 'gleif/documents/lei-records.json' },
  { source: greenhouse, path: 'greenhouse/documents/jobs.json' },
  { source: lever, path: 'lever/documents/postings.json' },
  { source: secProfiles, path: 'sec-profiles/documents/submissions.json' },
];

export const COMPANY_DOCUMENTS: readonly SourceDocument[] = [
  ...COMPANY_JSON,
  { source: sec8k, path: 'sec-8k/documents/getcurrent.xml' },
  { source: secFormD, path: 'sec-form-d/documents/primary_doc.xml' },
];
