import type { DemandClass } from '../words/demand-classes.ts';

/** Every plot shows the same information by a word or a shape as well. */
export const DEMAND_CLASS_COLOURS: Readonly<Record<DemandClass, string>> = {
  explicit_request: 'var(--color-explicit)',
  proxy: 'var(--color-proxy)',
  structural: 'var(--color-structural)',
};
