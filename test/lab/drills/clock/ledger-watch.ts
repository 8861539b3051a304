import pg from 'pg';

const LOOK_EVERY_MS = 250;

/** Polls the ledger time of every subscription, which never decreases (promise R6). */
export interface LedgerWatch extends AsyncDisposable {
  look(): Promise<void>;
  readonly violations: string[];
  readonly looks: () => number;
}

export async function watchLedger(url: string): Promise<LedgerWatch> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const last = new Map<string, bigint>();
  const violations: string[] = [];
  let looks = 0;
  let underWay: Promise<void> = Promise.resolve();
  const look = () => {
    underWay = underWay.then(async () => {
      const { rows } = await client.query<{ id: string; at: string }>(
        'select id, (extract(epoch from last_at) * 1000000)::bigint as at from subscription',
      );
      for (const { id, at } of rows) {
        const before = last.get(id) ?? 0n;
        if (BigInt(at) < before)
          violations.push(`R6 ledger time of subscription ${id} went back from ${before} to ${at}`);
        last.set(id, BigInt(at));
        looks += 1;
      }
    });
    return underWay;
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS);
  return {
    look,
    violations,
    looks: () => looks,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await underWay.catch(() => undefined);
      await client.end();
    },
  };
}
