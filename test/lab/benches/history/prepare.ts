import { startProgress } from '@ces/cli/output/progress';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { goOn } from '../../support/bench.ts';
import { backdateAccounts, createPayer, createPayers, type Payer } from './accounts.ts';
import type { Draw } from './draw.ts';
import { generatePostings } from './ledger-history.ts';
import { freshStretches, type HistoryVolume, lastDay, monthsBefore, type Stretch } from './months.ts';
import { generateOperations } from './operations-history.ts';
import type { System } from './system.ts';
import { findSubjects, makeTemplates, SEARCHES, type Subject, type Template } from './templates.ts';

export interface Past extends HistoryVolume {
  readonly accounts: number;
  /** Operations of the last day on both systems, so that tasks over new rows do the same work. */
  readonly lastDay: number;
  readonly seed: number;
}

export interface Prepared {
  readonly payers: readonly Payer[];
  readonly subjects: readonly Subject[];
  readonly templates: readonly Template[];
  readonly stretches: readonly Stretch[];
  readonly draw: Draw;
}

/**
 * Creates sample, accounts and templates through the product, then writes the history by SQL while
 * no service runs.
 */
export async function prepare(system: System, past: Past, now: Date, signal: AbortSignal): Promise<Prepared> {
  const made = await makeByCalls(system, past.accounts, signal);
  const { payers, templates } = made;
  await backdateAccounts(system);
  const byMonth = system.name === 'history';
  const months = monthsBefore(now, past);
  const stretches = byMonth ? [...months, lastDay(now, months, past.lastDay)] : freshStretches(now, past.lastDay);
  const draw = { seed: past.seed, payers: payers.length, templates: templates.length, searches: SEARCHES };
  using progress = startProgress(process.stderr, `${system.name}: operations and postings`);
  const total = 2 * stretches.reduce((sum, { count }) => sum + count, 0);
  let done = 0;
  const onStretch = ({ count, from }: Stretch) => {
    goOn(signal);
    done += count;
    progress.at(from.toISOString().slice(0, 7), done / total);
  };
  const generation = { stretches, payers, templatePayer: made.templatePayer, draw, now, byMonth, onStretch };
  await withoutWaitingForDisks(system, async () => {
    await Promise.all([generateOperations(system, generation), generatePostings(system, generation)]);
  });
  return { payers, subjects: made.subjects, templates, stretches, draw };
}

async function makeByCalls(system: System, accounts: number, signal: AbortSignal) {
  await using running = await system.start({}, signal);
  const ledger = running.stack.client('ledger', LedgerAdminService);
  const payers = await createPayers(ledger, accounts);
  const subjects = await findSubjects(system);
  const templatePayer = await createPayer(ledger);
  const templates = await makeTemplates(system, running.baseUrl, templatePayer, subjects);
  return { payers, subjects, templatePayer, templates };
}

/** Durability does not matter during generation. Afterwards, commits wait for the disk as usual. */
async function withoutWaitingForDisks(system: System, write: () => Promise<void>): Promise<void> {
  await using client = await system.connect('operations');
  await client.query('alter system set fsync = off');
  await client.query('alter system set full_page_writes = off');
  await client.query('alter system set autovacuum = off');
  await client.query('select pg_reload_conf()');
  await write();
  await client.query('alter system reset all');
  await client.query('select pg_reload_conf()');
  await client.query('checkpoint');
}
