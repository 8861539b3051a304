import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Peppers } from '../credential/pepper.ts';
import type { LastUse } from '../last-use.ts';
import type { Movements } from '../movement/movements.ts';

/** What the handlers work with. */
export interface Deps {
  readonly pool: Pool;
  readonly movements: Movements;
  readonly peppers: Peppers;
  readonly lastUse: LastUse;
  readonly logger: Logger;
}
