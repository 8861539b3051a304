import type { Arena } from './arena.ts';
import { fillDisks } from './disks.ts';
import { cutNodesApart, killLeader, killWithItsPrimaries, killWithoutCopies } from './nodes.ts';
import { breakCircuit, delayNode, rejectRequests } from './requests.ts';
import type { Tally } from './tally.ts';
import { stopProjecting, stopRebuilding } from './zombies.ts';

export interface Drill {
  readonly name: string;
  readonly copied: boolean;
  readonly run: (arena: Arena) => Promise<string | undefined>;
  /** Further conditions on searches during the fault. Returns a sentence for each violation. */
  readonly expects?: (tally: Tally) => string[];
}

const LACKING_SHARE = 0.05;

const isFelt = ({ endings }: Tally) =>
  endings.partial + endings.unavailable > 0 ? [] : ['no search felt it: the drill proves nothing'];
/** Allows only requests in progress on the ending node to miss from an answer. */
const isWhole = ({ searches, endings }: Tally) =>
  endings.partial + endings.unavailable <= searches * LACKING_SHARE
    ? []
    : [
        `${endings.partial} answers partial, ${endings.unavailable} searches unavailable although every shard has a copy`,
      ];

export const DRILLS: readonly Drill[] = [
  { name: 'node killed', copied: true, run: killWithItsPrimaries, expects: isWhole },
  { name: 'leading node killed', copied: true, run: killLeader },
  { name: 'nodes cut apart', copied: true, run: cutNodesApart, expects: isFelt },
  { name: 'node slow by 2 s', copied: true, run: (arena) => delayNode(arena, 2_000) },
  { name: 'node silent', copied: true, run: (arena) => delayNode(arena, 20_000) },
  { name: 'half of all requests rejected', copied: true, run: (arena) => rejectRequests(arena, 0.5) },
  { name: 'all requests rejected', copied: true, run: (arena) => rejectRequests(arena, 1), expects: isFelt },
  { name: 'circuit breaker', copied: true, run: breakCircuit },
  { name: 'projector stopped in a bulk', copied: true, run: stopProjecting },
  { name: 'projector stopped in a rebuild', copied: true, run: stopRebuilding },
  // The last drill with replicas, because nodes refuse to create indexes for over a minute
  // afterwards.
  { name: 'disks full', copied: true, run: fillDisks },
  { name: 'node killed, no copies', copied: false, run: killWithoutCopies, expects: isFelt },
];
