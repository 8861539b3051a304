import type { Config } from '../config.ts';

/** How long a call waits for its result, in milliseconds: as asked, at most as configured. */
export function waitMsOf({ waitMs }: Pick<Config, 'waitMs'>, asked: number | undefined): number {
  return Math.max(0, Math.min(waitMs, asked ?? waitMs));
}
