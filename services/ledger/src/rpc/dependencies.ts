import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { LastUse } from '../credential/last-use.ts';
import type { Peppers } from '../credential/pepper.ts';
import type { Movements } from '../posting/postings.ts';

/** What the handlers work with. */
export interface Deps {
  readonly pool: Pool;
  readonly movements: Movements;
  readonly peppers: Peppers;
  readonly lastUse: LastUse;
  readonly logger: Logger;
}
