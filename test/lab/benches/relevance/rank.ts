import type { FileId } from '@ces/cli/import/fields';
import type { CesClient } from '@ces/client';
import { publicFilters } from './filters.ts';
import type { FileIds } from './import.ts';
import type { Judgment, RankedCompany } from './score.ts';

const TARGET = 100;
export const PAGE_LIMIT = 50;

export interface Ranking {
  readonly companies: readonly RankedCompany[];
  /** Duration in ms of the first page, whose request searches and ranks. */
  readonly firstPageMs: number;
}

/** Fetches all pages of a judged query, best first, and maps ids to those of the files. */
export async function rank(client: CesClient, judgment: Judgment, ids: FileIds): Promise<Ranking> {
  const search = { query: judgment.query, filters: publicFilters(judgment.filters), limit: PAGE_LIMIT, target: TARGET };
  const begun = performance.now();
  let page = await client.searchCompanies(search).done();
  const firstPageMs = performance.now() - begun;
  const companies = [...page.companies];
  while (page.next_cursor !== null) {
    page = await client.searchCompanies({ ...search, cursor: page.next_cursor }).done();
    companies.push(...page.companies);
  }
  return {
    companies: companies.map(({ id, match }) => ({
      id: fileIdOf(ids.companies, id),
      observation_ids: match.observation_ids.map((observation) => fileIdOf(ids.observations, observation)),
    })),
    firstPageMs,
  };
}

/** Objects outside the data set get an id that no file contains. */
function fileIdOf(ids: ReadonlyMap<number, FileId>, id: number): FileId {
  return ids.get(id) ?? `service-id-${id}`;
}
