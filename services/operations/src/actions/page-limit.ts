import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { refuse } from '../input/refuse.ts';

/** The plan's largest page: a matter of the present plan, and so checked only for new work. */
export function checkPageLimit(limit: number, { pageLimit, plan }: Principal): void {
  if (limit > pageLimit) refuse(`limit is above the largest page of the ${plan} plan: send at most ${pageLimit}.`);
}
