import type { Pool } from '@ces/chassis/postgres';
import type { EvidenceBell } from '../events.ts';

/** What the RPCs of this service work with. */
export interface Dependencies {
  readonly pool: Pool;
  readonly bell: EvidenceBell;
}
