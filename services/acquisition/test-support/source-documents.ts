import type { Source } from '../src/connector/source.ts';
import { ashby } from '../src/sources/ashby/source.ts';
import { canadabuys } from '../src/sources/canadabuys/source.ts';
import { canadabuysAwards } from '../src/sources/canadabuys-awards/source.ts';
import { cim } from '../src/sources/cim/source.ts';
import { ecccGhgrp } from '../src/sources/eccc-ghgrp/source.ts';
import { fbo } from '../src/sources/fbo/source.ts';
import { gleif } from '../src/sources/gleif/source.ts';
import { greenhouse } from '../src/sources/greenhouse/source.ts';
import { lever } from '../src/sources/lever/source.ts';
import { ocds } from '../src/sources/ocds/source.ts';
import { openfda510k } from '../src/sources/openfda-510k/source.ts';
import { openfdaPma } from '../src/sources/openfda-pma/source.ts';
import { samApi } from '../src/sources/sam-api/source.ts';
import { samEntity } from '../src/sources/sam-entity/source.ts';
import { sbirAwards } from '../src/sources/sbir-awards/source.ts';
import { sbirSolicitations } from '../src/sources/sbir-solicitations/source.ts';
import { sec8k } from '../src/sources/sec-8k/source.ts';
import { secFormD } from '../src/sources/sec-form-d/source.ts';
import { secProfiles } from '../src/sources/sec-profiles/source.ts';
import { smartrecruiters } from '../src/sources/smartrecruiters/source.ts';
import { usaspendingRecipients } from '../src/sources/usaspending-recipients/source.ts';

export interface SourceDocument {
  readonly source: Source;
  readonly path: string;
}

export const TABLES: readonly SourceDocument[] = [
  { source: canadabuys, path: 'canadabuys/documents/open-tender-notices.csv' },
  { source: canadabuysAwards, path: 'canadabuys-awards/documents/award-notices.csv' },
  { source: cim, path: 'cim/documents/facility-metadata.csv' },
  { source: ecccGhgrp, path: 'eccc-ghgrp/documents/facilities.csv' },
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

const PUBLIC_MONEY: readonly SourceDocument[] = [
  { source: openfda510k, path: 'openfda-510k/documents/clearances.json' },
  { source: openfdaPma, path: 'openfda-pma/documents/approvals.json' },
  { source: samEntity, path: 'sam-entity/documents/entities.json' },
  { source: sbirAwards, path: 'sbir-awards/documents/awards.json' },
  { source: sbirSolicitations, path: 'sbir-solicitations/documents/solicitations.json' },
  { source: usaspendingRecipients, path: 'usaspending-recipients/documents/recipient.json' },
];

export const COMPANY_JSON: readonly SourceDocument[] = [
  { source: ashby, path: 'ashby/documents/jobs.json' },
  { source: gleif, path: 'gleif/documents/lei-records.json' },
  { source: greenhouse, path: 'greenhouse/documents/jobs.json' },
  { source: lever, path: 'lever/documents/postings.json' },
  { source: secProfiles, path: 'sec-profiles/documents/submissions.json' },
  { source: smartrecruiters, path: 'smartrecruiters/documents/postings.json' },
  { source: smartrecruiters, path: 'smartrecruiters/documents/posting.json' },
  ...PUBLIC_MONEY,
];

export const COMPANY_DOCUMENTS: readonly SourceDocument[] = [
  ...COMPANY_JSON,
  { source: sec8k, path: 'sec-8k/documents/getcurrent.xml' },
  { source: secFormD, path: 'sec-form-d/documents/primary_doc.xml' },
];

export function documentFile(path: string): URL {
  return new URL(`../src/sources/${path}`, import.meta.url);
}
