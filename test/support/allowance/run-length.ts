import { randomBytes } from 'node:crypto';

/** Seed and length of these tests (test/allowance/README.md). */
export const SEED = process.env.CES_ALLOWANCE_SEED || randomBytes(4).toString('hex');
export const LOAD_MS = 1_000 * Number(process.env.CES_ALLOWANCE_SECONDS || 4);
export const HISTORIES = Number(process.env.CES_ALLOWANCE_HISTORIES || 25);
