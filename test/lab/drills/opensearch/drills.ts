import type { Arena } from './arena.ts';
import { fillDisks } from './disks.ts';
import { cutNodesApart, killLeader, killWithItsPrimaries, killWithoutCopies } from './nodes.ts';
import type { Tally } from './tally.ts';
import { stopProjecting } from './zombies.ts';

export interface Drill {
  readonly name: string;
  readonly copied: boolean;
  readonly run: (arena: Arena) => Promise<string | undefined>;
  /** A node outside the cluster may answer from what it had, for at most this many milliseconds. */
  readonly mayBeStaleMs?: number;
  /** Further conditions on searches during the fault. Returns a sentence for each violation. */
  readonly expects?: (tally: Tally) => string[];
}

const LACKING_SHARE = 0.05;
/** Both sides of a broken link give up after the same checks, some seconds apart. */
const STALE_MS = 30_000;

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
  { name: 'nodes cut apart', copied: true, run: cutNodesApart, mayBeStaleMs: STALE_MS, expects: isFelt },
  { name: 'projector stopped in a bulk', copied: true, run: stopProjecting },
  // The last drill with replicas, because nodes refuse to create indexes for over a minute
  // afterwards.
  { name: 'disks full', copied: true, run: fillDisks },
  { name: 'node killed, no copies', copied: false, run: killWithoutCopies, expects: isFelt },
];
