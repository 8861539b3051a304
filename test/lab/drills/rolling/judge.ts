import { setTimeout as pause } from 'node:timers/promises';
import { runChecks } from '../../checks/all.ts';
import type { FaultWindow } from '../../checks/faults.ts';
import { checkEnded } from '../../checks/settlement.ts';
import { readSnapshot, type Snapshot } from '../../checks/snapshot.ts';
import type { Servers } from '../../cluster/servers.ts';
import type { Attempt } from '../../load/attempt.ts';
import { type Door, poll, report } from '../../load/client.ts';
import type { Account } from '../../load/subscribers.ts';

/** The stack that is judged. */
interface Judged {
  readonly servers: Servers;
  readonly secrets: Readonly<Record<string, string>>;
  readonly account: Account;
  /** Where it can be asked now. */
  readonly gatewayUrl: string;
}

const SETTLED_WITHIN_MS = 60_000;
/** Operations that are asked for at once. */
const POLLED_AT_ONCE = 8;

/** Waits until all has ended, polls what was seen once more, and makes every check of a trial (checks C1 to C12). */
export async function judge(
  stack: Judged,
  attempts: readonly Attempt[],
  faultWindows: readonly FaultWindow[] = [],
): Promise<string[]> {
  const { account, gatewayUrl, servers, secrets } = stack;
  await untilEnded(stack);
  const door = {
    baseUrl: gatewayUrl,
    surface: 'rest' as const,
    accountId: account.accountId,
    token: account.tokens[0] ?? '',
  };
  const polls = await pollAll(door, attempts);
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

async function pollAll(door: Door, attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
  const ids = new Set(attempts.flatMap(({ outcome }) => (outcome.kind === 'answer' && outcome.body.usage?.id) || []));
  const left = ids.values();
  const polls: Attempt[] = [];
  const pollSome = async () => {
    for (const id of left) polls.push(await poll(door, id));
  };
  await Promise.all(Array.from({ length: POLLED_AT_ONCE }, pollSome));
  return polls;
}

async function untilEnded(stack: Judged): Promise<void> {
  const snapshot = (): Promise<Snapshot> => readSnapshot(addressesOf(stack));
  for (const deadline = performance.now() + SETTLED_WITHIN_MS; performance.now() < deadline; await pause(500))
    if (checkEnded(await snapshot()).length === 0) return;
}

function addressesOf({ servers: { databases } }: Judged) {
  return { operations: databases.get('operations')?.ownerUrl ?? '', ledger: databases.get('ledger')?.ownerUrl ?? '' };
}
