import { parseArgs } from 'node:util';
import { table } from '../markdown.ts';
import { planFor } from './plan.ts';

const { values } = parseArgs({
  options: {
    observations: { type: 'string', default: '1e6' },
    accounts: { type: 'string', default: '1000' },
    calls: { type: 'string', default: '50' },
    searches: { type: 'string', default: '0.5' },
    unbounded: { type: 'string', default: '0.2' },
  },
});
const [observations, accounts, callsADay, searches, unbounded] = [
  values.observations,
  values.accounts,
  values.calls,
  values.searches,
  values.unbounded,
].map(Number) as [number, number, number, number, number];
const faults = [observations, accounts, callsADay].some((figure) => !(figure >= 0));
if (faults || ![searches, unbounded].every((share) => share >= 0 && share <= 1)) {
  process.stderr.write(
    'Arguments: --observations N --accounts N --calls N a day and account --searches SHARE --unbounded SHARE\n',
  );
  process.exit(2);
}
const plan = planFor({ observations, accounts, callsADay, searches, unbounded });
const rows = [
  ['calls a second, mean and peak', `${plan.mean.toFixed(1)}, ${plan.peak.toFixed(1)}`],
  ...plan.programs.map(({ name, cores, replicas, connections = 0, memory }) => [
    name,
    `${replicas} replicas, ${cores.toFixed(1)} cores busy, ${(memory / 1e9).toFixed(1)} GB of memory, ${connections} connections`,
  ]),
  ['Postgres, all but ranking', `${plan.databaseCores.toFixed(1)} cores`],
  ['ranking', `${plan.indexCores.toFixed(1)} cores, ${(plan.indexMemory / 1e9).toFixed(1)} GB of memory a copy`],
  ...Object.entries(plan.disks).map(([name, bytes]) => [`disk of ${name}`, `${(bytes / 1e9).toFixed(1)} GB a copy`]),
];
process.stdout.write(`${table(['what', 'needs'], rows)}\n`);
