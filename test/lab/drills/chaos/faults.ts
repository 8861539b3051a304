import type { Random } from '../../../support/random.ts';
import type { Account } from '../../load/subscribers.ts';
import { cutNewestBlock, killNats, loseStreams, natsOff, partitionBroker, silenceBroker } from '../faults/broker.ts';
import { EDGES, loseConnections, slowAnswers } from '../faults/edges.ts';
import type { Fault } from '../faults/fault.ts';
import { CRASH_POINTS, crashAt, killPostgres, killService, loseAnswers, shiftedClock } from '../faults/processes.ts';
import { partitionedWorker, stoppedWorker } from '../faults/workers.ts';

/** Longer than the lease of a run. */
const ZOMBIE_MS = 6_000;
/** Every service that lost connections answers again within this time. */
const LOST_MS = 15_000;

const SERVICES = ['ledger', 'lookup', 'search', 'acquisition', 'operations', 'gateway'];

export function faultsOf(failing: () => Account): readonly Fault[] {
  return [
    ...SERVICES.map((service) => killService(service, upTo(1_500))),
    {
      name: 'crash point',
      promise: 'R2',
      run: (cluster, random) => crashAt(random.pick(CRASH_POINTS), failing).run(cluster, random),
    },
    loseAnswers('operations-ledger', 0.5, 6_000),
    loseAnswers('gateway-operations', 0.3, 6_000),
    killNats(upTo(3_000)),
    loseStreams(),
    cutNewestBlock(4_000),
    partitionBroker(10_000),
    natsOff((random) => 20_000 + random.below(25_000)),
    silenceBroker(8_000),
    stoppedWorker(ZOMBIE_MS),
    partitionedWorker(ZOMBIE_MS),
    loseConnections(EDGES, LOST_MS),
    shiftedClock(),
    killPostgres(upTo(1_000)),
    slowAnswers(['operations-ledger', 'operations-search', 'operations-lookup', 'gateway-operations'], 1_500, 5_000),
  ];
}

function upTo(ms: number) {
  return (random: Random) => random.below(ms);
}
