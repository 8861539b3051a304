import { ashby } from '../src/sources/ashby/source.ts';
import { canadabuys } from '../src/sources/canadabuys/source.ts';
import { canadabuysAwards } from '../src/sources/canadabuys-awards/source.ts';
import { cim } from '../src/sources/cim/source.ts';
import { ecccGhgrp } from '../src/sources/eccc-ghgrp/source.ts';
import { fbo } from '../src/sources/fbo/source.ts';
import { gleif } from '../src/sources/gleif/source.ts';
import { grantsGov } from '../src/sources/grants-gov/source.ts';
import { greenhouse } from '../src/sources/greenhouse/source.ts';
import { lever } from '../src/sources/lever/source.ts';
import { newsrooms } from '../src/sources/newsrooms/source.ts';
import { ocds } from '../src/sources/ocds/source.ts';
import { openfda510k } from '../src/sources/openfda-510k/source.ts';
import { openfdaPma } from '../src/sources/openfda-pma/source.ts';
import { samApi } from '../src/sources/sam-api/source.ts';
import { samCsv } from '../src/sources/sam-csv/source.ts';
import { samEntity } from '../src/sources/sam-entity/source.ts';
import { sbirAwards } from '../src/sources/sbir-awards/source.ts';
import { sbirSolicitations } from '../src/sources/sbir-solicitations/source.ts';
import { sec8k } from '../src/sources/sec-8k/source.ts';
import { secFormD } from '../src/sources/sec-form-d/source.ts';
import { secProfiles } from '../src/sources/sec-profiles/source.ts';
import { smartrecruiters } from '../src/sources/smartrecruiters/source.ts';
import type { Source } from '../src/sources/source.ts';
import { usaspendingAwards } from '../src/sources/usaspending-awards/source.ts';
import { usaspendingRecipients } from '../src/sources/usaspending-recipients/source.ts';
import { workday } from '../src/sources/workday/source.ts';

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
  { source: ecccGhgrp, path: 'eccc-ghgrp/documents/facilities.csv', charset: 'utf8' },
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

/** The documents of the sources of public money, devices and registrations. */
const PUBLIC_MONEY: readonly SourceDocument[] = [
  { source: grantsGov, path: 'grants-gov/documents/fetch-opportunity.json' },
  { source: grantsGov, path: 'grants-gov/documents/search2.json' },
  { source: openfda510k, path: 'openfda-510k/documents/clearances.json' },
  { source: openfdaPma, path: 'openfda-pma/documents/approvals.json' },
  { source: samEntity, path: 'sam-entity/documents/entities.json' },
  { source: sbirAwards, path: 'sbir-awards/documents/awards.json' },
  { source: sbirSolicitations, path: 'sbir-solicitations/documents/solicitations.json' },
  { source: usaspendingAwards, path: 'usaspending-awards/documents/spending-by-award.json' },
  { source: usaspendingRecipients, path: 'usaspending-recipients/documents/recipient.json' },
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
  { source: ashby, path: 'ashby/documents/jobs.json' },
  { source: gleif, path: 'gleif/documents/lei-records.json' },
  { source: greenhouse, path: 'greenhouse/documents/jobs.json' },
  { source: lever, path: 'lever/documents/postings.json' },
  { source: newsroomsOfDocuments, path: 'newsrooms/documents/feed.json' },
  { source: secProfiles, path: 'sec-profiles/documents/submissions.json' },
  { source: smartrecruiters, path: 'smartrecruiters/documents/postings.json' },
  { source: smartrecruiters, path: 'smartrecruiters/documents/posting.json' },
  { source: workday, path: 'workday/documents/posting.json' },
  ...PUBLIC_MONEY,
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
