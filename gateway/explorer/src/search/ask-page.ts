import type { QueryClient } from '@tanstack/react-query';
import type { Run, RunPage } from '../runs/run.ts';
import { changePage } from '../runs/runs.ts';
import { type CesClient, CesError, type CompanyResult, type Units } from '../session/client.ts';
import { USAGE_REPORT } from '../session/usage-report.ts';

export interface PageAnswer {
  readonly result: CompanyResult;
  readonly units: Units;
  readonly usageId: number;
  readonly replayed: boolean;
  readonly tookMs: number;
}

interface Asker {
  readonly ces: CesClient;
  readonly queryClient: QueryClient;
}

/**
 * Polls by usage id, else by its key; charged once. Stores the state for a reload. Throws CesError.
 */
export async function askPage({ ces, queryClient }: Asker, run: Run, page: RunPage): Promise<PageAnswer> {
  const from = performance.now();
  const note = (change: Partial<RunPage>) =>
    changePage(queryClient, page.requestKey, ({ endedBy: _, ...known }) => ({ ...known, ...change }));
  const operation = page.usageId === undefined ? send(ces, run, page) : ces.resume(page.usageId);
  try {
    const result = await operation.done({ onProgress: ({ usage }) => note({ usageId: usage.id }) });
    if (!isCompanyResult(result)) throw new Error(`Operation ${result.usage.id} is not a search for companies.`);
    const { id, request_units, delivered_units, fresh_evidence_units } = result.usage;
    note({ usageId: id, answered: true });
    return {
      result,
      units: { request: request_units, delivered: delivered_units, fresh: fresh_evidence_units },
      usageId: id,
      replayed: page.answered === true || operation.replayed,
      tookMs: performance.now() - from,
    };
  } catch (error) {
    note({ endedBy: error instanceof CesError ? error.code : 'explorer_fault' });
    throw error;
  } finally {
    void queryClient.invalidateQueries({ queryKey: USAGE_REPORT });
  }
}

/** Free, because its key is known. */
export function replayPage(asker: Asker, run: Run, { usageId: _, ...page }: RunPage): Promise<PageAnswer> {
  return askPage(asker, run, page);
}

function send(ces: CesClient, { input, background }: Run, { requestKey, cursor }: RunPage) {
  const page = { ...input, ...(cursor !== undefined && { cursor }) };
  return ces.searchCompanies(page, { requestKey, ...(background && { background }) });
}

function isCompanyResult(result: object): result is CompanyResult {
  return 'companies' in result && 'coverage' in result;
}
