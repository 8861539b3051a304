import { canadabuys } from '../src/sources/canadabuys/source.ts';
import { canadabuysAwards } from '../src/sources/canadabuys-awards/source.ts';
import { cim } from '../src/sources/cim/source.ts';
import { fbo } from '../src/sources/fbo/source.ts';
import { gleif } from '../src/sources/gleif/source.ts';
import { greenhouse } from '../src/sources/greenhouse/source.ts';
import { lever } from '../src/sources/lever/source.ts';
import { newsrooms } from '../src/sources/newsrooms/source.ts';
import { ocds } from '../src/sources/ocds/source.ts';
import { samApi } from '../src/sources/sam-api/source.ts';
import { samCsv } from '../src/sources/sam-csv/source.ts';
import { sec8k } from '../src/sources/sec-8k/source.ts';
import { secFormD } from '../src/sources/sec-form-d/source.ts';
import { secProfiles } from '../src/sources/sec-profiles/source.ts';
import type { Source } from '../src/sources/source.ts';

export interface SourceDocument {
  readonly source: Source;
  /** Below `src/sources`. */
  readonly path: string;
}

/** The documents of the sources of tenders and facilities: invented buyers in each source's own format. */
export const TABLES: readonly (SourceDocument & { readonly charset: BufferEncoding })[] = [
  { source: canadabuys, path: 'canadabuys/documents/open-tender-notices.csv', charset: 'utf8' },
  { source: canadabuysAwards, path: 'canadabuys-awards/documents/award-notices.csv', charset: 'utf8' },
  { source: samCsv, path: 'sam-csv/documents/contract-opportunities.csv', charset: 'latin1' },
  { source: cim, path: 'cim/documents/facility-metadata.csv', charset: 'utf8' },
];

export const JSON_DOCUMENTS: readonly SourceDocument[] = [
  { source: ocds, path: 'ocds/documents/release-package.json' },
  { source: ocds, path: 'ocds/documents/record-package.json' },
  { source: fbo, path: 'fbo/documents/hits.json' },
  { source: samApi, path: 'sam-api/documents/opportunities.json' },
];

export const DOCUMENTS: readonly SourceDocument[] = [
  ...TABLES,
  ...JSON_DOCUMENTS,
  { source: ocds, path: 'ocds/documents/compiled-releases.jsonl' },
  { source: fbo, path: 'fbo/documents/hits.jsonl' },
  { source: fbo, path: 'fbo/documents/load.bulk' },
];

const FEEDS =
  'https://weirworks.example/news/feed.xml|Weirworks Ltd.|CA|weirworks.example,https://lockgate.example/newsroom/feed.json|Lockgate Inc.|US|lockgate.example';

/** With the feeds of its documents, as an operator sets them: a feed of nobody is refused as a whole. */
const newsroomsOfDocuments: Source = {
  ...newsrooms,
  parse: (document) => newsrooms.parse({ ...document, settings: new Map([['feeds', FEEDS]]) }),
};

/** The documents of the sources of companies, their filings and positions: invented ones in each source's own format. */
export const COMPANY_JSON: readonly SourceDocument[] = [
  { source: gleif, path: 'gleif/documents/lei-records.json' },
  { source: greenhouse, path: 'greenhouse/documents/jobs.json' },
  { source: lever, path: 'lever/documents/postings.json' },
  { source: newsroomsOfDocuments, path: 'newsrooms/documents/feed.json' },
  { source: secProfiles, path: 'sec-profiles/documents/submissions.json' },
];

export const COMPANY_DOCUMENTS: readonly SourceDocument[] = [
  ...COMPANY_JSON,
  { source: newsroomsOfDocuments, path: 'newsrooms/documents/feed.xml' },
  { source: sec8k, path: 'sec-8k/documents/getcurrent.xml' },
  { source: secFormD, path: 'sec-form-d/documents/primary_doc.xml' },
];

export function documentFile(path: string): URL {
  return new URL(`../src/sources/${path}`, import.meta.url);
}
