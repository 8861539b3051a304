import { startProgress } from '@ces/cli/output/progress';
import { loadPayers } from './accounts.ts';
import { type Compared, measureAlternately } from './alternately.ts';
import { drawSql } from './draw.ts';
import type { Stretch } from './months.ts';
import type { Prepared } from './prepare.ts';
import { type Asked, askedOf, type Kept, requestSubjects } from './requests.ts';
import type { System } from './system.ts';
import type { Pair } from './tasks.ts';
import { SEARCHES } from './templates.ts';

const KEPT_MS = 399 * 86_400_000;

export interface RequestSamples {
  readonly samples: number;
  readonly now: Date;
}

export async function measureRequests(
  systems: Pair<System>,
  prepared: Pair<Prepared>,
  options: RequestSamples,
  signal: AbortSignal,
): Promise<Compared[]> {
  await using empty = await systems.empty.start({}, signal);
  await using history = await systems.history.start({}, signal);
  const asked = {
    empty: await withKept(systems.empty, askedOf(empty, prepared.empty), prepared.empty, options),
    history: await withKept(systems.history, askedOf(history, prepared.history), prepared.history, options),
  };
  const subjects = requestSubjects(asked);
  using progress = startProgress(process.stderr, 'requests');
  const compared: Compared[] = [];
  for (const [index, subject] of subjects.entries()) {
    progress.at(subject.what, index / subjects.length);
    compared.push(await measureAlternately(subject, options.samples, signal));
  }
  return compared;
}

async function withKept(system: System, asked: Asked, prepared: Prepared, options: RequestSamples): Promise<Asked> {
  const { stretches } = prepared;
  const pick = async (stretch: Stretch | undefined, since = new Date(0)) =>
    stretch ? await pickSearches(system, stretch, prepared, since, options) : [];
  return {
    ...asked,
    young: await pick(stretches.at(-1)),
    old: await pick(
      stretches.find(({ isKept, count }) => isKept && count > 0),
      new Date(options.now.getTime() - KEPT_MS),
    ),
    retired: await pick(stretches.findLast(({ isKept, count }) => !isKept && count > 0)),
  };
}

async function pickSearches(
  system: System,
  stretch: Stretch,
  { draw, payers, templates }: Prepared,
  since: Date,
  { samples, now }: RequestSamples,
): Promise<Kept[]> {
  await using operations = await system.connect('operations');
  await loadPayers(operations, payers);
  const { rows } = await operations.query<{ id: string; account: string; template: string; request_key: string }>(
    `select id::text, account_id::text as account, template::text, request_key
     from (${drawSql(stretch, draw, now)}) d
     where template <= ${SEARCHES} and not failed and created_at > '${since.toISOString()}'
     order by hashint8(id) limit ${2 * samples}`,
  );
  return rows.flatMap((row) => {
    const payer = payers.find(({ accountId }) => accountId === BigInt(row.account));
    const call = templates[Number(row.template) - 1]?.call;
    return payer && call ? [{ id: BigInt(row.id), payer, requestKey: row.request_key, call }] : [];
  });
}
