import type { Arena } from './arena.ts';
import { fillDisks } from './disks.ts';
import { cutNodesApart, killLeader, killWithItsPrimaries, killWithoutCopies } from './nodes.ts';
import { breakCircuit, delayNode, rejectRequests } from './requests.ts';
import type { Tally } from './tally.ts';
import { stopProjecting, stopRebuilding } from './zombies.ts';

/** A fault under load. */
export interface Drill {
  readonly name: string;
  /** Whether each shard has a copy on the other node. */
  readonly copied: boolean;
  /** Brings the fault about and takes it away; says what it did, undefined where it had no effect. */
  readonly run: (arena: Arena) => Promise<string | undefined>;
  /** What else must hold of the searches meanwhile, a sentence where it does not. */
  readonly expects?: (tally: Tally) => string[];
}

const LACKING_SHARE = 0.05;

const isFelt = ({ endings }: Tally) =>
  endings.partial + endings.unavailable > 0 ? [] : ['no search felt it: the drill proves nothing'];
/** What is under way on a node that ends may be lacking in an answer; no more than that. */
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
  // The last of its cluster: for more than a minute after it nodes let no index be made.
  { name: 'disks full', copied: true, run: fillDisks },
  { name: 'node killed, no copies', copied: false, run: killWithoutCopies, expects: isFelt },
];
