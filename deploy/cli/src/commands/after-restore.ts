import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { isTransient } from '@ces/chassis/rpc/error';
import { retry } from '@ces/chassis/service/retry';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { Argument, type Command } from 'commander';
import { instantArgument } from '../arguments.ts';
import { type Answer, asChange, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { waitForIndex } from '../operator/index-position.ts';
import { SERVICES, type ServiceName } from '../operator/stack.ts';
import { startProgress } from '../output/progress.ts';
import { count, table } from '../output/table.ts';
import { Refusal } from '../refusal.ts';

const TIMEOUT_MS = 120_000;

/** A database that was just restored may not accept connections at once. */
const ATTEMPTS = { attempts: 6, firstPauseMs: 500 };

const FOLLOWING: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  ledger: ['ledger', 'operations'],
  operations: ['operations'],
  lookup: ['lookup', 'acquisition'],
  acquisition: ['acquisition'],
  search: ['search'],
};
/** The record comes before its index and before the services that compare with it. */
const ORDER: readonly ServiceName[] = ['ledger', 'operations', 'lookup', 'acquisition', 'search'];

interface Done {
  readonly service: ServiceName;
  readonly what: string;
  count: bigint;
  readonly unrepaired: string[];
}

interface Options {
  readonly since?: Date;
  readonly wait?: boolean;
}

export function define(verb: Command, run: Runner<Context>): void {
  asChange(verb, [
    'after-restore ledger operations',
    'after-restore lookup --since 2026-11-20T00:00:00Z',
    'after-restore all --wait',
  ])
    .addArgument(new Argument('<services...>', 'services whose databases were restored').choices([...SERVICES, 'all']))
    .option(
      '--since <instant>',
      're-record only what acquisition has fetched since this instant (default: everything)',
      instantArgument,
    )
    .option('--wait', 'wait until the index has caught up and a rebuild has finished')
    .action(run(afterRestore));
}

async function afterRestore(context: Context, services: (ServiceName | 'all')[], options: Options): Promise<Answer> {
  const restored = services.includes('all') ? SERVICES : SERVICES.filter((service) => services.includes(service));
  const wanted = new Set(restored.flatMap((service) => FOLLOWING[service]));
  const done: Done[] = [];
  for (const service of ORDER.filter((name) => wanted.has(name))) await finish(context, service, options, done);
  if (options.wait) await waitForIndex(context.stack, { signal: context.signal, untilRebuilt: true });
  const unrepaired = done.flatMap((step) =>
    step.unrepaired.map((what) => ({ ...step, what: `${what}: ${step.what}` })),
  );
  const summary = table(
    ['service', 'what', 'count'],
    done.map((step) => [step.service, step.what, count(step.count)]),
  );
  const details = table(
    ['service', 'needs manual repair'],
    unrepaired.map(({ service, what }) => [service, what]),
    'All services agree.',
  );
  return { json: { steps: done }, text: `${summary}\n\n${details}`, failed: unrepaired.length > 0 };
}

async function finish({ stack, signal, stderr }: Context, service: ServiceName, { since }: Options, done: Done[]) {
  const client = stack.client(service, RestoreService, TIMEOUT_MS);
  using progress = startProgress(stderr, service);
  for (let page = '', pages = 1; ; pages += 1) {
    const request = { page, ...(since && { since: timestampFromDate(since) }) };
    const answer = await retry(() => client.afterRestore(request), { ...ATTEMPTS, signal, retryIf: isTransient });
    for (const step of answer.steps) add(done, { ...step, service });
    progress.at(`${pages} pages`);
    if (answer.nextPage === '') return;
    page = answer.nextPage;
    if (signal.aborted) throw new Refusal('Interrupted: run the command again; repeating it is safe.');
  }
}

function add(done: Done[], { service, what, count: times, unrepaired }: Done): void {
  const known = done.find((step) => step.service === service && step.what === what);
  if (!known) done.push({ service, what, count: times, unrepaired: [...unrepaired] });
  else {
    known.count += times;
    known.unrepaired.push(...unrepaired);
  }
}
