import { setTimeout as pause } from 'node:timers/promises';
import { runChecks } from '../../checks/all.ts';
import type { FaultWindow } from '../../checks/faults.ts';
import { checkEnded } from '../../checks/settlement.ts';
import { readSnapshot, type Snapshot } from '../../checks/snapshot.ts';
import type { Attempt } from '../../load/attempt.ts';
import { poll, report } from '../../load/client.ts';
import type { ReplicatedStack } from './replicated-stack.ts';

const SETTLED_WITHIN_MS = 60_000;

/** Waits until all has ended, polls what was seen once more, and makes every check of a trial (checks C1 to C12). */
export async function judge(
  stack: ReplicatedStack,
  attempts: readonly Attempt[],
  faultWindows: readonly FaultWindow[] = [],
): Promise<string[]> {
  const { account, balancers, servers, secrets } = stack;
  await untilEnded(stack);
  const door = {
    baseUrl: `http://127.0.0.1:${balancers.get('gateway')?.port}`,
    surface: 'rest' as const,
    accountId: account.accountId,
    token: account.tokens[0] ?? '',
  };
  const ids = new Set(attempts.flatMap(({ outcome }) => (outcome.kind === 'answer' && outcome.body.usage?.id) || []));
  const polls: Attempt[] = [];
  for (const id of ids) polls.push(await poll(door, id));
  const said = await report(door);
  return await runChecks({
    attempts: [...attempts, ...polls, said],
    snapshot: await readSnapshot(addressesOf(stack)),
    reports: new Map([[account.subscriptionId, said]]),
    faultWindows,
    logDirectory: servers.directory,
    secrets: [...account.tokens, ...Object.values(secrets)],
  });
}

async function untilEnded(stack: ReplicatedStack): Promise<void> {
  const snapshot = (): Promise<Snapshot> => readSnapshot(addressesOf(stack));
  for (const deadline = Date.now() + SETTLED_WITHIN_MS; Date.now() < deadline; await pause(500))
    if (checkEnded(await snapshot()).length === 0) return;
}

function addressesOf({ servers: { databases } }: ReplicatedStack) {
  return { operations: databases.get('operations')?.ownerUrl ?? '', ledger: databases.get('ledger')?.ownerUrl ?? '' };
}
