import type { Random } from '../../../support/random.ts';
import type { Account } from '../../load/subscribers.ts';
import { cutNewestBlock, killNats, loseStreams, natsOff, partitionBroker } from '../faults/broker.ts';
import { EDGES, slowAnswers } from '../faults/edges.ts';
import type { Fault } from '../faults/fault.ts';
import { CRASH_POINTS, crashAt, failOver, killPostgres, killService } from '../faults/processes.ts';
import { partitionedWorker, stoppedWorker } from '../faults/workers.ts';

/** A fault, and how often it is asked for. */
export interface Asked {
  readonly fault: Fault;
  readonly times: number;
}

/** Faults that are made one after the other, beside those of other lanes, with which they share no part. */
export type Lane = readonly Asked[];

/** What a promise asks for. */
export interface Plan {
  /** Each is tried by itself, trial after trial. */
  readonly groups: readonly (readonly Lane[])[];
  /** Whether calls may be turned away while things are broken; the broker is no reason. */
  readonly excused: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  readonly postgres?: Readonly<Record<string, string>>;
  readonly failsOver?: boolean;
  /** The longest that a call may take, in milliseconds. */
  readonly answeredWithinMs?: number;
  /** The longest after a fault until a call is answered with a result, in milliseconds. */
  readonly answeredAgainWithinMs?: number;
  /** The longest from healing until every operation has ended, in milliseconds. */
  readonly endedWithinMs?: number;
}

const MINUTE_MS = 60_000;
/** In which load publishes messages that nobody has consumed when their block is cut. */
const GATHERED_MS = 4_000;
/** Three leases of the run. */
const THREE_LEASES_MS = 6_000;
/** R7: so long after healing, and the deadline of a run. */
const LATE_BY_BROKER_MS = 45_000;

/** So that answers that are 10 s late pass every deadline of a call. */
const CALL_MS = 6_000;
/** Asking for the credential, the call, and what a busy machine adds. */
const ANSWERED_WITHIN_MS = 3_000 + CALL_MS + 2_000;

/** What is asked of each promise, by its number; `share` is the part of it that is made, once at least. */
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

/** Those that `planOf` knows. */
export const PROMISES = ['R2', 'R7', 'R8', 'R9', 'R18', 'R22'];

function upTo(ms: number) {
  return (random: Random) => random.below(ms);
}
