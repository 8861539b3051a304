import type { Random } from '../../../support/random.ts';
import type { Account } from '../../load/subscribers.ts';
import { cutNewestBlock, killNats, loseStreams, natsOff, partitionBroker } from '../faults/broker.ts';
import { EDGES, slowAnswers } from '../faults/edges.ts';
import type { Fault } from '../faults/fault.ts';
import { CRASH_POINTS, crashAt, failOver, killPostgres, killService } from '../faults/processes.ts';
import { partitionedWorker, stoppedWorker } from '../faults/workers.ts';

export interface Asked {
  readonly fault: Fault;
  readonly times: number;
}

/** Faults in sequence. Lanes run concurrently and share no part. */
export type Lane = readonly Asked[];

export interface Plan {
  readonly groups: readonly (readonly Lane[])[];
  /** Whether calls may fail during faults. A fault of the broker is no excuse. */
  readonly excused: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  readonly postgres?: Readonly<Record<string, string>>;
  readonly failsOver?: boolean;
  readonly answeredWithinMs?: number;
  /** Bound on the time from a fault until a call gets a result. */
  readonly answeredAgainWithinMs?: number;
  /** Bound on the time from healing until every operation has ended. */
  readonly endedWithinMs?: number;
}

const MINUTE_MS = 60_000;
/**
 * Time in which load publishes messages that no consumer has received when their block is
 * truncated.
 */
const GATHERED_MS = 4_000;
const THREE_LEASES_MS = 6_000;
/** R7: the bound after healing plus the deadline of a run. */
const LATE_BY_BROKER_MS = 45_000;

/** Answers delayed by 10 s then exceed every deadline of a call. */
const CALL_MS = 6_000;
/** Credential check, call, and a margin for a busy machine. */
const ANSWERED_WITHIN_MS = 3_000 + CALL_MS + 2_000;

/**
 * The plan of a promise by its number. `share` scales the number of faults, at least to one each.
 */
export function planOf(promise: string, share: number, failing: () => Account): Plan | undefined {
  const times = (asked: number) => Math.max(1, Math.round(asked * share));
  const some = (fault: Fault, asked: number): Asked => ({ fault, times: times(asked) });
  const workers = ['operations-1', 'operations-2'];
  switch (promise) {
    case 'R2':
      return {
        groups: [
          workers.map((name) => CRASH_POINTS.map((point) => some(crashAt(point, failing, name), 25))),
          [
            ['ledger', 'search'].map((service) => some(killService(service, upTo(1_500)), 200)),
            ['lookup', 'acquisition'].map((service) => some(killService(service, upTo(1_500)), 200)),
            ['operations', 'gateway'].map((service) => some(killService(service, upTo(1_500)), 200)),
          ],
        ],
        excused: true,
      };
    case 'R7':
      return {
        groups: [
          [[some(killNats(upTo(3_000)), 50), some(loseStreams(), 20), some(partitionBroker(MINUTE_MS), 20)]],
          [[some(cutNewestBlock(GATHERED_MS), 10)]],
        ],
        excused: false,
        endedWithinMs: LATE_BY_BROKER_MS,
      };
    case 'R8':
      return { groups: [[[{ fault: natsOff(() => 10 * MINUTE_MS * share), times: 1 }]]], excused: false };
    case 'R9':
      return {
        groups: [
          workers.map((name) => [
            some(stoppedWorker(THREE_LEASES_MS, name), 50),
            some(partitionedWorker(THREE_LEASES_MS, name), 25),
          ]),
        ],
        excused: true,
      };
    case 'R18':
      return {
        groups: [[[some(killPostgres(upTo(1_000)), 50)]], [[some(failOver(), 10)]]],
        excused: true,
        failsOver: true,
        postgres: { fsync: 'on', full_page_writes: 'on' },
        answeredAgainWithinMs: 30_000,
      };
    case 'R22':
      return {
        groups: [[EDGES.map((edge) => some(slowAnswers([edge], 10_000, 10_000), 20))]],
        excused: true,
        settings: { CES_GATEWAY_CALL_TIMEOUT_MS: String(CALL_MS), CES_OPERATIONS_WAIT_MS: '4000' },
        answeredWithinMs: ANSWERED_WITHIN_MS,
      };
    default:
      return undefined;
  }
}

export const PROMISES = ['R2', 'R7', 'R8', 'R9', 'R18', 'R22'];

function upTo(ms: number) {
  return (random: Random) => random.below(ms);
}
