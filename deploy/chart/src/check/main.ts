import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { readCases, toPromtool } from '../alerts/cases.ts';
import { ruleSuites } from '../alerts/rules.ts';
import { listComponents } from '../components.ts';
import { findProgram, run } from '../programs/programs.ts';
import { outdatedPages } from '../values/generate-pages.ts';
import { CERTIFICATES, certificateFaults } from './certificates.ts';
import { findFaults } from './expectations.ts';
import { jobFaults } from './jobs.ts';
import { renamedFaults } from './renamed.ts';
import { CHART, listExamples, readManifests, render } from './render.ts';
import { SCHEMA_LOCATION, writeSchemas } from './schemas.ts';
import { secretFaults } from './secrets.ts';
import { serviceAccountFaults } from './service-accounts.ts';

/** Oldest and newest supported, and the first with the `sleep` lifecycle hook enabled. */
const KUBERNETES = ['1.29.14', '1.30.14', '1.34.2', '1.36.3'];

const EVERYTHING = '../tests/everything.yaml';

const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-chart-'));
try {
  await checkChart();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function checkChart(): Promise<void> {
  const [helm, kubeconform] = [await findProgram('helm'), await findProgram('kubeconform')];
  await run(helm, ['lint', '--strict', CHART]);
  say('helm lint: nothing to say');
  report('README.md and values.schema.json', await outdatedPages(CHART, folder));
  say(await testRenders());
  say(`alerts: ${await checkAlerts()} cases, all as expected`);
  for (const kubernetes of KUBERNETES) {
    const schemas = path.join(folder, kubernetes);
    await writeSchemas(schemas, kubernetes);
    await run(kubeconform, ['-strict', '-schema-location', path.join(schemas, SCHEMA_LOCATION), CERTIFICATES]);
    const validate = async (text: string) => {
      const file = path.join(folder, 'rendered.yaml');
      await writeFile(file, text);
      await run(kubeconform, ['-strict', '-summary', '-schema-location', path.join(schemas, SCHEMA_LOCATION), file]);
    };
    await validate(await render(EVERYTHING, kubernetes));
    for (const example of await listExamples()) {
      const text = await render(example, kubernetes);
      await validate(text);
      const manifests = readManifests(text);
      report(`${example} on ${kubernetes}: ${manifests.length} objects`, findFaults(manifests, listComponents()));
    }
  }
  report('old names of values are refused with the new ones', await renamedFaults(KUBERNETES.at(-1) ?? ''));
  report('every Secret of its own databases is written', await secretFaults(KUBERNETES.at(-1) ?? ''));
  report('Jobs have another name for another pod', await jobFaults(KUBERNETES.at(-1) ?? ''));
  report('the certificates of the example name every address', await certificateFaults(KUBERNETES.at(-1) ?? ''));
  report(
    'tokens of ServiceAccounts are those of the edges',
    await serviceAccountFaults(KUBERNETES.at(-1) ?? '', listComponents()),
  );
}

async function testRenders(): Promise<string> {
  const printed = await run(await findProgram('helm-unittest'), ['--strict', CHART]);
  return `values: ${/^Tests:.*$/m.exec(printed)?.[0] ?? printed}`;
}

/** Runs promtool's `check rules` and `test rules` on every suite; returns the number of cases. */
async function checkAlerts(): Promise<number> {
  const promtool = await findProgram('promtool');
  const cases = readCases();
  for (const suite of ruleSuites()) {
    const [rules, tests] = ['yaml', 'json'].map((ending) => path.join(folder, `${suite.name}.${ending}`)) as [
      string,
      string,
    ];
    await writeFile(rules, stringify({ groups: suite.groups }));
    await writeFile(tests, JSON.stringify(toPromtool(suite, cases, rules)));
    await run(promtool, ['check', 'rules', rules]);
    await run(promtool, ['test', 'rules', tests]);
  }
  return cases.length;
}

function report(what: string, faults: readonly string[]): void {
  say(`${what}${faults.length === 0 ? ', all as expected' : ''}`);
  for (const fault of faults) say(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
