import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';

const SOURCES = path.join(REPOSITORY, 'services/acquisition/src/sources');
const DAY_MS = 86_400_000;
const FDA_LATER_PAGE = { meta: { results: { skip: 1_000, limit: 1_000, total: 1_000 } }, results: [] };

/** Answers to the path and query of a request; undefined: not found. */
export type Publisher = (address: URL) => Promise<string | undefined>;

/** What each host publishes, in its own format and under its own addresses. */
export const PUBLISHERS: Readonly<Record<string, Publisher>> = {
  'canadabuys.canada.ca': async ({ pathname }) => {
    if (pathname.endsWith('/openTenderNotice-ouvertAvisAppelOffres.csv'))
      return await documentOf('canadabuys/documents/open-tender-notices.csv', '2026-10-10');
    if (pathname.endsWith('-awardNotice-avisAttribution.csv'))
      return await documentOf('canadabuys-awards/documents/award-notices.csv', '2026-11-20');
    return undefined;
  },
  'data-donnees.az.ec.gc.ca': async ({ pathname }) =>
    pathname === '/api/file' ? await documentOf('eccc-ghgrp/documents/facilities.csv', '2026-11-20') : undefined,
  'api.fda.gov': async ({ pathname, searchParams }) => {
    if (searchParams.get('skip') !== '0') return JSON.stringify(FDA_LATER_PAGE);
    if (pathname === '/device/510k.json')
      return await documentOf('openfda-510k/documents/clearances.json', '2026-10-20');
    return pathname === '/device/pma.json'
      ? await documentOf('openfda-pma/documents/approvals.json', '2026-10-20')
      : undefined;
  },
  'api.www.sbir.gov': async ({ pathname, searchParams }) => {
    if (pathname === '/public/api/solicitations')
      return await documentOf('sbir-solicitations/documents/solicitations.json', '2026-10-10');
    const isThisYear = searchParams.get('year') === String(new Date().getUTCFullYear());
    return isThisYear ? await documentOf('sbir-awards/documents/awards.json', '2026-09-10') : '[]';
  },
};

/** A document with its dates moved, so that it is as current today as it was on `day`. */
async function documentOf(file: string, day: string): Promise<string> {
  const text = await readFile(path.join(SOURCES, file), 'utf8');
  const days = Math.floor((Date.now() - Date.parse(day)) / DAY_MS);
  return text.replaceAll(/\b20\d\d-\d\d-\d\d\b/g, (date) => moved(date, days));
}

function moved(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
