import type { Source } from './source.ts';

/** Every source there is; adding one is its folder and its line here. */
export const sources: readonly Source[] = [];
