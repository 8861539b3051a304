import { type ServiceProcess, startServiceProcess } from '../service-process.ts';
import type { Environment } from '../stack.ts';

export const MINUTES_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTES_MS;

export function startShifted(
  name: Parameters<typeof startServiceProcess>[0],
  shiftMs: number,
  env: Environment,
): Promise<ServiceProcess> {
  const preload = new URL('./shift-clock.ts', import.meta.url).pathname;
  return startServiceProcess(name, {
    ...env,
    NODE_OPTIONS: `--import=${preload}`,
    CES_TEST_CLOCK_SHIFT_MS: String(shiftMs),
  });
}
