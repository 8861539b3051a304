import { CesClient, CesError } from '@ces/client';

/** What a page in a browser saw of the interface by the client. */
export interface PageSaw {
  readonly companies: number;
  readonly units: unknown;
  readonly replayed: boolean;
  readonly sameOperation: boolean;
  readonly background: number;
  readonly refused: string | undefined;
  readonly requestUnits: number;
}

/** Makes the calls of a page to the origin that it came from. */
async function callFromPage(apiKey: string): Promise<PageSaw> {
  const ces = new CesClient({ baseUrl: '', apiKey });
  const input = { query: 'cold storage', limit: 2 };
  const first = ces.searchCompanies(input);
  const page = await first.done();
  const again = ces.searchCompanies(input, { requestKey: first.requestKey });
  await again.done();
  const background = await ces.searchCompanies({ query: 'warehouse', limit: 1 }, { background: true }).done();
  const refused: unknown = await ces
    .searchCompanies({ query: ' ' })
    .done()
    .catch((error: unknown) => error);
  const { usage } = await ces.getUsage();
  return {
    companies: page.companies.length,
    units: first.units,
    replayed: again.replayed,
    sameOperation: again.usageId === first.usageId,
    background: background.companies.length,
    refused: CesError.is(refused) ? refused.code : undefined,
    requestUnits: usage.request_units,
  };
}

Object.assign(globalThis, { callFromPage });
