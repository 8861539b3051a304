import { CesClient, CesError } from '@ces/client';

/** What a program saw of a server that answers a search only at the fifth attempt, and then sends elsewhere. */
export interface FaultsSaw {
  readonly usageId: number;
  readonly attempts: readonly number[];
  readonly refused: string | undefined;
}

async function meetFaults(baseUrl: string): Promise<FaultsSaw> {
  const attempts: number[] = [];
  const onAttempt = ({ status }: { readonly status: number }) => void attempts.push(status);
  const ces = new CesClient({ baseUrl, apiKey: 'ces_test_key', timeoutMs: 1_000, onAttempt });
  const search = ces.searchCompanies({ query: 'cold storage' }, { requestKey: 'clé ☀' });
  const { usage } = await search.done();
  const refused: unknown = await ces.getUsage().catch((error: unknown) => error);
  return { usageId: usage.id, attempts, refused: CesError.is(refused) ? refused.code : undefined };
}

Object.assign(globalThis, { meetFaults });

// A page calls it; a program is told where to go.
const { process } = globalThis as { readonly process?: { readonly env: Readonly<Record<string, string | undefined>> } };
const server = process?.env.CES_FAULTY_SERVER;
if (server !== undefined) void meetFaults(server).then((saw) => console.log(JSON.stringify(saw)));
