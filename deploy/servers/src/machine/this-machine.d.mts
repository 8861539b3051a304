import type { Machine } from './choice.mjs';

/** The machine that this runs on. */
export function thisMachine(): Machine;
