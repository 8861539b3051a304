import type { Case } from './case.ts';
import { BOTH } from './cases/both.ts';
import { CHANGING } from './cases/changing.ts';
import { EGRESS } from './cases/egress.ts';
import { INGRESS } from './cases/ingress.ts';

/** What an engine that enforces policies does, each seen in all calls between nine pods on two ports over two protocols. */
export const CASES: readonly Case[] = [...INGRESS, ...EGRESS, ...BOTH, ...CHANGING];
