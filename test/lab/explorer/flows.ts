import type { Flow } from './flow.ts';
import { LOOK_UP_FLOWS } from './flows/look-up.ts';
import { OPERATION_FLOWS } from './flows/operations.ts';
import { USAGE_FLOWS } from './flows/usage.ts';

/** Everything that is tried, in the order in which a person meets it. */
export const FLOWS: readonly Flow[] = [...LOOK_UP_FLOWS, ...OPERATION_FLOWS, ...USAGE_FLOWS];
