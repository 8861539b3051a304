import type { Machine } from './choice.mjs';

export function thisMachine(): Machine;
