// @module-tag nightly
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type ServiceName, type TestDatabase } from '../support/database.ts';
import { type FaultyProxy, startProxy } from '../support/faulty-proxy.ts';
import { seeded } from '../support/random.ts';
import { facilities, recordEvidence } from '../support/record.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { type Environment, startTestStack, type TestStack } from '../support/stack.ts';
import { VOLUME_TIMEOUT_MS, volumeOf } from '../support/volume.ts';

// R30: two processes of each service with a leader, with default lease times.
const TRIALS = volumeOf(1, 20);
const WITHIN_MS = 30_000;
/** Four processes start on two cores while a stack runs. */
const TIMEOUT_MS = Math.max(VOLUME_TIMEOUT_MS, 300_000);
const FAULTS = ['stopped', 'cut off'] as const;

type Fault = (typeof FAULTS)[number];

const cleanup = new AsyncDisposableStack();
let stack: TestStack;

beforeAll(async () => {
  stack = cleanup.use(await startTestStack({}));
});
afterAll(() => cleanup.disposeAsync(), 60_000);

test.concurrent(`an index goes on when its projector is lost, ${TRIALS} times a fault`, {
  timeout: TIMEOUT_MS,
}, async () => {
  await using own = await createTestDatabase('search');
  // A separate prefix, so that the stack's search receives none of its messages.
  const env = { ...stack.environmentOf('search'), CES_NATS_PREFIX: `leaders${process.pid}` };
  await using pair = await Pair.start('search', 'projector', own, env);
  const feed = () => pair.row<{ tx: bigint; fence: bigint }>('select tx, fence from feed');
  let recorded = 0;
  await tryFaults(pair, async () => {
    recorded += 1;
    const { companies, observations } = facilities(1, `works of round ${recorded}`);
    await recordEvidence(stack, companies, observations);
    const { position } = await stack.searchAdmin.getIndexStatus({});
    return async () => {
      const { tx, fence } = (await feed()) ?? {};
      return (tx ?? 0n) >= (position?.tx ?? 0n) && fence === (await pair.lease())?.fence;
    };
  });
});

test.concurrent(`sources are scheduled when the scheduler is lost, ${TRIALS} times a fault`, {
  timeout: TIMEOUT_MS,
}, async () => {
  await using own = await createTestDatabase('acquisition');
  const env = {
    ...stack.environmentOf('acquisition'),
    CES_ACQUISITION_PORT: '0',
    CES_ACQUISITION_SCHEDULES: 'true',
    // Nothing listens here, so that no source is reached.
    CES_ACQUISITION_PROXY: 'http://127.0.0.1:1',
    CES_ACQUISITION_SCHEDULE_INTERVAL_MS: '500',
  };
  await using pair = await Pair.start('acquisition', 'scheduler', own, env);
  await tryFaults(pair, async () => {
    const lostRun = await pair.row<{ id: bigint }>(
      `insert into source_run (source, trigger, heartbeat_at) values ('none', 'schedule', now() - interval '1 day') returning id`,
    );
    return async () =>
      (await pair.row(`select from source_run where id = $1 and state = 'failed'`, [lostRun?.id])) !== undefined;
  });
});

/** `work` gives the leader a task; its result reports whether the task was done. */
async function tryFaults(pair: Pair, work: () => Promise<() => Promise<boolean>>): Promise<void> {
  const slowest = { stopped: 0, 'cut off': 0 };
  for (let trial = 0; trial < TRIALS; trial += 1)
    for (const fault of FAULTS) {
      const before = await pair.untilLed();
      const restore = pair.lose(before, fault);
      const lostAt = performance.now();
      const isDone = await work();
      const goesOn = async () => ((await pair.lease())?.fence ?? 0n) > before.fence && (await isDone());
      await until(goesOn);
      slowest[fault] = Math.max(slowest[fault], performance.now() - lostAt);
      const after = await pair.untilLed();
      restore();
      // The returning process must not lead, and the new leader's work must persist.
      await pair.untilRenewed(3);
      expect((await pair.lease())?.fence).toBe(after.fence);
      expect(await isDone()).toBe(true);
    }
  console.log(`${pair.name}: ${TRIALS} times a fault; slowest ${JSON.stringify(slowest)} ms`);
}

interface Lease {
  readonly holder: string;
  readonly fence: bigint;
  readonly until: Date;
}

interface Member {
  readonly process: ServiceProcess;
  readonly proxy: FaultyProxy;
}

class Pair implements AsyncDisposable {
  readonly name: string;
  readonly #cleanup = new AsyncDisposableStack();
  readonly #members: Member[] = [];
  readonly #db: pg.Pool;

  private constructor(name: string, database: TestDatabase) {
    this.name = name;
    this.#db = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
    // Idle connections emit an error when their database is dropped; queries in progress reject
    // instead.
    this.#db.on('connect', (client) => client.on('error', () => undefined));
    this.#cleanup.defer(() => this.#db.end());
  }

  static async start(
    service: ServiceName | 'acquisition',
    lease: string,
    database: TestDatabase,
    env: Environment,
  ): Promise<Pair> {
    const pair = new Pair(lease, database);
    const name = service.toUpperCase();
    for (const seed of ['one', 'other']) {
      const url = new URL(database.url);
      const proxy = pair.#cleanup.use(await startProxy(Number(url.port), seeded(seed)));
      url.port = String(proxy.port);
      const own = { [`CES_${name}_DATABASE_URL`]: url.href, [`CES_${name}_PORT`]: '0' };
      const process = pair.#cleanup.use(await startServiceProcess(service, { ...env, ...own }));
      pair.#members.push({ proxy, process });
    }
    return pair;
  }

  async row<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T | undefined> {
    return (await this.#db.query<T>(text, values)).rows[0];
  }

  lease(): Promise<Lease | undefined> {
    return this.row<Lease>('select holder, fence, until from lease where name = $1 and until > now()', [this.name]);
  }

  async untilLed(): Promise<Lease> {
    let found: Lease | undefined;
    await until(async () => {
      found = await this.lease();
      return found !== undefined;
    });
    if (!found) throw new Error('no process leads');
    return found;
  }

  async untilRenewed(times: number): Promise<void> {
    for (let renewal = 0; renewal < times; renewal += 1) {
      const last = await this.untilLed();
      await until(async () => ((await this.lease())?.until ?? last.until) > last.until);
    }
  }

  /** Stops or isolates the leader; returns a function that restores it. */
  lose({ holder }: Lease, fault: Fault): () => void {
    const [, pid] = holder.split('/');
    const member = this.#members.find(({ process }) => String(process.child.pid) === pid);
    if (!member) throw new Error(`no process holds ${holder}`);
    const { process, proxy } = member;
    if (fault === 'stopped') {
      process.child.kill('SIGSTOP');
      return () => process.child.kill('SIGCONT');
    }
    proxy.fault = { kind: 'half open' };
    return () => {
      proxy.fault = { kind: 'none' };
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanup.disposeAsync();
  }
}

/** R30 allows half a minute. Concurrent tests cannot share `expect.poll`. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout: WITHIN_MS, interval: 100 });
}
