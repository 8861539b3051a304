import { runChecks } from '../../checks/all.ts';
import type { FaultWindow } from '../../checks/faults.ts';
import { untilEnded } from '../../checks/settlement.ts';
import { readSnapshot, type SnapshotAddresses, snapshotAddresses } from '../../checks/snapshot.ts';
import type { Servers } from '../../cluster/servers.ts';
import type { Attempt } from '../../load/attempt.ts';
import { type Door, doorsOf, poll, report } from '../../load/client.ts';
import type { Account } from '../../load/subscribers.ts';

const SETTLED_WITHIN_MS = 60_000;
const POLLED_AT_ONCE = 8;

interface Judged {
  readonly servers: Servers;
  readonly secrets: Readonly<Record<string, string>>;
  readonly account: Account;
  readonly gatewayUrl: string;
}

interface Judgeable extends Pick<Judged, 'secrets' | 'account' | 'gatewayUrl'> {
  readonly databases: SnapshotAddresses;
  readonly logDirectory: string;
}

/** Waits until all operations have ended, polls those seen once more, and runs checks C1 to C12. */
export async function judge(
  { servers, secrets, account, gatewayUrl }: Judged,
  attempts: readonly Attempt[],
  faultWindows: readonly FaultWindow[] = [],
): Promise<string[]> {
  const databases = snapshotAddresses(servers.databases);
  const stack = { ...{ secrets, account, gatewayUrl, databases }, logDirectory: servers.directory };
  return await judgeAnywhere(stack, attempts, faultWindows);
}

export async function judgeAnywhere(
  { account, gatewayUrl, databases, logDirectory, secrets }: Judgeable,
  attempts: readonly Attempt[],
  faultWindows: readonly FaultWindow[],
): Promise<string[]> {
  await untilEnded(databases, SETTLED_WITHIN_MS);
  const [door] = doorsOf([gatewayUrl], [account]);
  if (!door) throw new Error('the account has no credential');
  const polls = await pollAll(door, attempts);
  const said = await report(door);
  return await runChecks({
    attempts: [...attempts, ...polls, said],
    snapshot: await readSnapshot(databases),
    reports: new Map([[account.subscriptionId, said]]),
    faultWindows,
    logDirectory,
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
