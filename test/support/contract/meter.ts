import pg from 'pg';
import { expect } from 'vitest';
import type { TestStack } from '../stack.ts';
import type { Answer, Subscriber } from '../subscriber.ts';

const COUNTS = ['request_units', 'delivered_units', 'fresh_evidence_units'] as const;
type Units = Readonly<Record<(typeof COUNTS)[number], number>>;
type Usage = Units & { readonly status: string };

/**
 * Compares the costs that answers report with what the account was charged. A refused call costs
 * nothing.
 */
export class Meter {
  readonly #stack: TestStack;
  readonly #subscriber: Subscriber;
  readonly #before: Promise<Totals>;
  readonly #usages = new Map<number, Usage>();
  #refusals = 0;

  constructor(stack: TestStack, subscriber: Subscriber) {
    this.#stack = stack;
    this.#subscriber = subscriber;
    this.#before = totals(stack, subscriber);
  }

  async ready(): Promise<void> {
    await this.#before;
  }

  count({ headers, body }: Pick<Answer, 'headers' | 'body'>): void {
    const usage: (Usage & { readonly id: number }) | undefined = body.usage ?? usageOf(headers);
    if (usage) this.#usages.set(usage.id, usage);
    else this.#refusals += 1;
  }

  async expectEven(): Promise<{ readonly operations: number; readonly refusals: number }> {
    const settled = async () => (await this.#subscriber.report()).body.reservations;
    await expect.poll(settled).toEqual({ request_units: 0, delivered_units: 0 });
    for (const [id, { status }] of this.#usages)
      if (status === 'pending' || status === 'processing') this.count(await this.#subscriber.poll(id));
    const [before, after] = [await this.#before, await totals(this.#stack, this.#subscriber)];
    const charged = COUNTS.map((name) => after.units[name] - before.units[name]);
    const usages = [...this.#usages.values()];
    expect(charged).toEqual(COUNTS.map((name) => usages.reduce((sum, units) => sum + units[name], 0)));
    expect(after.operations - before.operations).toBe(usages.length);
    return { operations: usages.length, refusals: this.#refusals };
  }
}

/** A single-company body has no usage, so the headers carry it. */
function usageOf(headers: Headers): (Usage & { readonly id: number }) | undefined {
  const id = headers.get('usage-id');
  if (id === null) return undefined;
  const [request_units = 0, delivered_units = 0, fresh_evidence_units = 0] = (headers.get('units-settled') ?? '')
    .split(', ')
    .map((part) => Number(part.split('=')[1]));
  return { id: Number(id), status: 'delivered', request_units, delivered_units, fresh_evidence_units };
}

interface Totals {
  readonly units: Units;
  readonly operations: number;
}

async function totals(stack: TestStack, subscriber: Subscriber): Promise<Totals> {
  const units = (await subscriber.report()).body.usage;
  const client = new pg.Client({ connectionString: stack.databases.operations.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query('select count(*)::int as operations from operation where account_id = $1', [
      subscriber.accountId,
    ]);
    return { units, operations: rows[0].operations };
  } finally {
    await client.end();
  }
}
