import type { Attempt } from '../load/attempt.ts';
import { type Door, doorsOf, poll, report } from '../load/client.ts';
import type { Account } from '../load/subscribers.ts';
import { runChecks } from './all.ts';
import type { FaultWindow } from './faults.ts';
import { untilEnded } from './settlement.ts';
import { readSnapshot, type SnapshotAddresses } from './snapshot.ts';

const SETTLED_WITHIN_MS = 60_000;
const POLLED_AT_ONCE = 8;

export interface Judged {
  readonly databases: SnapshotAddresses;
  readonly accounts: readonly Account[];
  readonly gatewayUrl: string;
  readonly logDirectory: string;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Waits until all operations have ended, polls those seen once more, and runs checks C1 to C12. */
export async function judge(
  stack: Judged,
  attempts: readonly Attempt[],
  faultWindows: readonly FaultWindow[] = [],
): Promise<string[]> {
  await untilEnded(stack.databases, SETTLED_WITHIN_MS);
  const polls = await pollAll(doorsOf([stack.gatewayUrl], stack.accounts), attempts);
  return await judgeEnded(stack, [...attempts, ...polls], faultWindows);
}

/** Runs checks C1 to C12 when all operations have ended. */
export async function judgeEnded(
  { databases, accounts, gatewayUrl, logDirectory, secrets }: Judged,
  attempts: readonly Attempt[],
  faultWindows: readonly FaultWindow[],
): Promise<string[]> {
  const reports = new Map<bigint, Attempt>();
  for (const account of accounts) {
    const [door] = doorsOf([gatewayUrl], [account]);
    if (!door) throw new Error('an account has no credential');
    reports.set(account.subscriptionId, await report(door));
  }
  return await runChecks({
    ...{ reports, faultWindows, logDirectory, attempts: [...attempts, ...reports.values()] },
    snapshot: await readSnapshot(databases),
    secrets: [...accounts.flatMap(({ tokens }) => tokens), ...Object.values(secrets)],
  });
}

/** Polls operations once more, so that checks compare their final state with earlier answers. */
export async function pollAll(doors: readonly Door[], seen: readonly Attempt[], most?: number): Promise<Attempt[]> {
  const accountOf = new Map(
    seen.flatMap(({ outcome, accountId }) =>
      outcome.kind === 'answer' && outcome.body.usage?.id ? [[outcome.body.usage.id, accountId] as const] : [],
    ),
  );
  const left = [...accountOf].slice(0, most).values();
  const polls: Attempt[] = [];
  const pollSome = async () => {
    for (const [id, accountId] of left) {
      const own = doors.filter((door) => door.accountId === accountId);
      const door = own[id % own.length];
      if (door) polls.push(await poll(door, id));
    }
  };
  await Promise.all(Array.from({ length: POLLED_AT_ONCE }, pollSome));
  return polls;
}
