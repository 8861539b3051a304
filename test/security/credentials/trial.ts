import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt } from '../../lab/load/attempt.ts';
import type { Door } from '../../lab/load/client.ts';
import { AMPLE, type LedgerAdmin } from '../../lab/load/subscribers.ts';
import type { Random } from '../../support/random.ts';
import { CHANGES, type Change, type Subject } from './changes.ts';

/** The promise: calls that begin later than this after a change see it. */
const SEEN_WITHIN_MS = 1_000;
/** The last call of each gateway begins at least this long after the promised time. */
const BEYOND_MS = 200;
/**
 * The change comes at a random point within this time, so that it meets cached answers of any age.
 */
const BEFORE_MS = 900;
const BETWEEN_CALLS_MS = 90;

export interface TrialOptions {
  readonly number: number;
  readonly gateways: readonly string[];
  readonly admin: LedgerAdmin;
  readonly random: Random;
}

export interface Trial {
  readonly change: string;
  readonly faults: readonly string[];
  /**
   * Start of the last call that did not see the change, in ms after it. Negative values are before
   * it.
   */
  readonly lastUnseenMs: number;
  readonly calls: number;
  readonly judged: number;
}

/**
 * Changes one account while every gateway is called with its credential, two over REST and one over
 * MCP.
 */
export async function runTrial({ number, gateways, admin, random }: TrialOptions): Promise<Trial> {
  const change = CHANGES[number % CHANGES.length] as Change;
  const subject = await createSubject(admin, change.status);
  let changedAt = Number.POSITIVE_INFINITY;
  const callers = gateways.map((baseUrl, at) =>
    callUntil(
      change,
      { baseUrl, surface: at === 1 ? 'mcp' : 'rest', token: subject.token, accountId: subject.accountId },
      `trial-${number}-${at}`,
      () => changedAt + SEEN_WITHIN_MS + BEYOND_MS,
    ),
  );
  await pause(BETWEEN_CALLS_MS + random.below(BEFORE_MS));
  await change.apply(admin, subject);
  // The change was committed before this instant.
  changedAt = Date.now();
  return judge(change, changedAt, (await Promise.all(callers)).flat());
}

async function createSubject(admin: LedgerAdmin, status: string): Promise<Subject> {
  const { account } = await admin.createAccount({ name: 'trial' });
  const accountId = account?.id ?? 0n;
  const { subscription } = await admin.createSubscription({
    accountId,
    plan: 'professional',
    status,
    ownLimits: AMPLE,
  });
  const { token, credential } = await admin.issueCredential({ accountId, label: 'trial' });
  return { accountId, subscriptionId: subscription?.id ?? 0n, credentialId: credential?.id ?? 0n, token };
}

async function callUntil(change: Change, door: Door, key: string, end: () => number): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (let begunAt = 0; begunAt < end(); await pause(BETWEEN_CALLS_MS)) {
    begunAt = Date.now();
    attempts.push(await change.call(door, `${key}-${attempts.length}`));
  }
  return attempts;
}

function judge(change: Change, changedAt: number, attempts: readonly Attempt[]): Trial {
  const unseen = attempts.filter((attempt) => !sees(change, attempt));
  const late = ({ sentAt }: Attempt) => sentAt > changedAt + SEEN_WITHIN_MS;
  return {
    change: change.name,
    faults: unseen.filter(late).map((attempt) => `${change.name}: ${describe(attempt, changedAt)}`),
    lastUnseenMs: Math.max(...unseen.map(({ sentAt }) => sentAt - changedAt)),
    calls: attempts.length,
    judged: attempts.filter(late).length,
  };
}

function sees({ after }: Change, { outcome }: Attempt): boolean {
  return outcome.kind === 'answer' && outcome.status === after.status && outcome.body.error?.code === after.code;
}

function describe({ surface, sentAt, outcome }: Attempt, changedAt: number): string {
  const told = outcome.kind === 'lost' ? outcome.reason : `${outcome.status} ${outcome.body.error?.code ?? ''}`;
  return `${surface}, begun ${sentAt - changedAt} ms after it: ${told}`;
}
