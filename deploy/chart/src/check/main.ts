import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { toPromtool } from '../alerts/case.ts';
import { CASES } from '../alerts/cases.ts';
import { ruleFiles } from '../alerts/rules.ts';
import { listComponents } from '../components.ts';
import { CERTIFICATES, certificateFaults } from './certificates.ts';
import { databaseFaults } from './databases.ts';
import { findFaults } from './expectations.ts';
import { installationFaults } from './installation.ts';
import { natsFaults } from './nats.ts';
import { plannerFaults } from './planner.ts';
import { findProgram, run } from './programs.ts';
import { CHART, listExamples, readManifests, render } from './render.ts';
import { SCHEMA_LOCATION, writeSchemas } from './schemas.ts';
import { serviceAccountFaults } from './service-accounts.ts';

/** Kubernetes versions that the chart supports, oldest and newest, and the first with a waiting hook between them. */
const KUBERNETES = ['1.29.14', '1.30.14', '1.34.2', '1.36.3'];

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
  say(`alerts: ${await checkAlerts()} cases, all as expected`);
  for (const kubernetes of KUBERNETES) {
    const schemas = path.join(folder, kubernetes);
    await writeSchemas(schemas, kubernetes);
    await run(kubeconform, ['-strict', '-schema-location', path.join(schemas, SCHEMA_LOCATION), CERTIFICATES]);
    for (const example of await listExamples()) {
      const text = await render(example, kubernetes);
      const file = path.join(folder, example);
      await writeFile(file, text);
      await run(kubeconform, ['-strict', '-summary', '-schema-location', path.join(schemas, SCHEMA_LOCATION), file]);
      const manifests = readManifests(text);
      report(`${example} on ${kubernetes}: ${manifests.length} objects`, findFaults(manifests, listComponents()));
    }
  }
  report('minimal.yaml without pods of the release before', await aloneFaults(KUBERNETES.at(-1) ?? ''));
  report('first installation, drains and Argo CD', await installationFaults(KUBERNETES.at(-1) ?? ''));
  report('databases that the chart makes, and connections', await databaseFaults(KUBERNETES.at(-1) ?? ''));
  report('search reaches the planner that its settings name', await plannerFaults(KUBERNETES.at(-1) ?? ''));
  report('each way of opening NATS is given to who has the broker', await natsFaults(KUBERNETES.at(-1) ?? ''));
  report('the certificates of the example name every address', await certificateFaults(KUBERNETES.at(-1) ?? ''));
  report(
    'tokens of ServiceAccounts are those of the edges',
    await serviceAccountFaults(KUBERNETES.at(-1) ?? '', listComponents()),
  );
  await expectRefusal('a setting that no program has', ['--set', 'settings.CES_NO_SUCH_SETTING=1']);
  await expectRefusal('a secret among the values', ['--set', 'components.ledger.settings.CES_LEDGER_PEPPERS=a']);
  await expectRefusal('a file that no pod has', ['--set', 'settings.CES_RPC_TLS_CERT_FILE=/tls.crt']);
  await expectRefusal('a file of tokens', ['--set', 'settings.CES_RPC_TOKENS_FILE=/tokens']);
  await expectRefusal('a ServiceAccount among the settings', ['--set', 'settings.CES_RPC_SHARED_TOKENS=false']);
  const accounts = 'rpc.serviceAccountTokens';
  await expectRefusal('neither shared tokens nor others', ['--set', `${accounts}.sharedTokens=false`]);
  const apiServer = ['--set', `${accounts}.enabled=true`, '--set', `${accounts}.apiServer.enabled=true`];
  await expectRefusal('an API server that nothing reaches', apiServer);
  const shared = ['--set', `${accounts}.enabled=true`, '--set', 'defaults.serviceAccount.name=one-for-all'];
  await expectRefusal('an account of two programs', shared);
  await expectRefusal('a token of nine minutes', ['--set', `${accounts}.expirationSeconds=540`]);
  await expectRefusal('certificates without TLS', ['--set', 'rpc.tls.secretName=certificates']);
  await expectRefusal('a certificate of no Secret', ['--set', 'nats.tls.clientCertificate=true']);
  await expectRefusal('a password in the address of NATS', ['--set', 'nats.url=nats://ces:secret@nats:4222']);
  await expectRefusal("a password of NATS that is nobody's", [
    '--set',
    'nats.credentials.secretName=a,nats.credentials.kind=password',
  ]);
  await expectRefusal('a certificate for Postgres of no Secret', ['--set', 'postgres.tls.clientCertificate=true']);
  const ingress = ['--set', 'ingress.enabled=true', '--set', 'ingress.host=api.example.com'];
  await expectRefusal('an Ingress whose proxies are not trusted', ingress);
  await expectRefusal('a value that the schema does not know', ['--set', 'gateway.replicas=2']);
}

async function aloneFaults(kubernetes: string): Promise<string[]> {
  const text = await render('minimal.yaml', kubernetes, '--set', 'rpc.previousRelease=false');
  return [
    ...(text.includes('previous-release') ? ['a policy is left of the release before'] : []),
    ...findFaults(readManifests(text), listComponents()),
  ];
}

/** Lets Prometheus itself judge the rules, and whether each fires when it must and not before; how many cases it saw. */
async function checkAlerts(): Promise<number> {
  const promtool = await findProgram('promtool');
  const file = path.join(folder, 'alerts.json');
  const rules = [...ruleFiles().keys()];
  await writeFile(file, JSON.stringify(toPromtool(CASES, rules)));
  await run(promtool, ['check', 'rules', ...rules]);
  await run(promtool, ['test', 'rules', file]);
  return CASES.length;
}

function report(what: string, faults: readonly string[]): void {
  say(`${what}${faults.length === 0 ? ', all as expected' : ''}`);
  for (const fault of faults) say(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

async function expectRefusal(what: string, parameters: readonly string[]): Promise<void> {
  const refused = await render('minimal.yaml', KUBERNETES.at(-1) ?? '', ...parameters).then(
    () => false,
    () => true,
  );
  report(`${what} is refused`, refused ? [] : ['it was rendered']);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
