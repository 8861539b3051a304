import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BURN_RATES } from '../alerts/burn-rates.ts';
import { toPromtool } from '../alerts/case.ts';
import { RULES } from '../alerts/rules.ts';
import { STATES } from '../alerts/state.ts';
import { findProgram, run } from './programs.ts';

/** Lets Prometheus itself judge the rules, and whether each fires when it must and not before; how many cases it saw. */
export async function checkAlerts(folder: string): Promise<number> {
  const promtool = await findProgram('promtool');
  const cases = [...BURN_RATES, ...STATES];
  const file = path.join(folder, 'alerts.json');
  await writeFile(file, JSON.stringify(toPromtool(cases, RULES)));
  await run(promtool, ['check', 'rules', RULES]);
  await run(promtool, ['test', 'rules', file]);
  return cases.length;
}
