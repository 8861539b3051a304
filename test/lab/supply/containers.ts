import path from 'node:path';
import { parseArgs } from 'node:util';
import { findGoProgram, hasGo, run } from '@ces/chart/check/programs';
import { freePort } from '@ces/servers/ports';
import { REPOSITORY } from '@ces/topology/services';
import { drawnFile } from '../support/volumes.ts';
import { makeStandIns } from './stand-ins.ts';
import { faultIf, inFolder, report, say } from './trial.ts';

const FILE = path.join(REPOSITORY, 'deploy/compose.yaml');
const PROJECT = `ces-lab-${process.pid}`;
const PROGRAMS = ['ledger', 'lookup', 'search', 'acquisition', 'operations', 'gateway'];

const { values } = parseArgs({
  options: { image: { type: 'string' }, official: { type: 'boolean', default: false } },
});

process.exitCode = await main();

/** The stack of deploy/compose.yaml begun by its one command, asked, begun again and lost and found; 1 on a fault. */
async function main(): Promise<number> {
  const answers = await run('docker', ['info']).then(
    () => true,
    () => false,
  );
  if (!answers || !(await hasGo())) {
    process.stderr.write('Containers are run by Docker and Compose, which Go builds; one of the two is not here.\n');
    return 2;
  }
  return await inFolder('ces-containers-', tryContainers);
}

/** Runs `docker compose` on the one file. */
type Compose = (...parameters: readonly string[]) => Promise<string>;

async function tryContainers(folder: string): Promise<void> {
  const program = await findGoProgram('docker-compose', 'github.com/docker/compose/v2@v2.40.3', 'cmd');
  const port = await freePort(0);
  Object.assign(process.env, { COMPOSE_PROJECT_NAME: PROJECT, CES_PUBLISH: `127.0.0.1:${port}` });
  if (!values.official) {
    const { postgres, nats } = await makeStandIns(folder);
    Object.assign(process.env, { CES_POSTGRES_IMAGE: postgres, CES_NATS_IMAGE: nats });
    say('Postgres and NATS are images made here, in the place of the official ones');
  }
  process.env.CES_IMAGE = values.image ?? (await buildImage());
  const compose: Compose = (...parameters) => run(program, ['--file', FILE, ...parameters]);
  try {
    await tryStack(compose, `http://127.0.0.1:${port}`);
  } finally {
    await compose('--profile', 'sample', 'down', '--volumes', '--timeout', '20');
  }
}

async function buildImage(): Promise<string> {
  const name = 'ces-lab:1';
  const bases = (await run(path.join(REPOSITORY, 'deploy/image/assemble-bases.sh'), [])).trim().split(' ');
  const options = ['--network', 'host', '--file', path.join(REPOSITORY, 'deploy/Dockerfile'), '--tag', name];
  const buildKit = process.env.DOCKER_BUILDKIT;
  process.env.DOCKER_BUILDKIT = '0';
  await run('docker', ['build', ...options, ...bases, REPOSITORY]);
  if (buildKit === undefined) delete process.env.DOCKER_BUILDKIT;
  say('the image is built from what is here');
  return name;
}

async function tryStack(compose: Compose, url: string): Promise<void> {
  const up = ['--profile', 'sample', 'up', '--detach', '--wait'];
  const begun = performance.now();
  await compose(...up);
  say(`up and healthy after ${Math.round((performance.now() - begun) / 1000)} s, sample data on the way`);
  await compose('--profile', 'sample', 'wait', 'sample').catch(() => '');
  report('the sample was loaded', faultIf(!(await compose('logs', 'sample')).includes('fictional'), 'it was not'));
  const kept = await keptSecrets();
  await checkSecrecy(compose, kept);
  const key = await issueKey(compose);
  report('a search is answered', await searchFaults(url, key, 'first'));
  await compose(...up);
  const said = await compose('logs', '--no-log-prefix', 'secrets');
  report('a second start draws nothing', faultIf(!said.trim().endsWith('secrets are there'), said));
  report('and the key goes on', await searchFaults(url, key, 'second'));
  await compose('--profile', 'sample', 'down', '--timeout', '30');
  await run('docker', ['volume', 'rm', `${PROJECT}_secrets-ledger`]);
  await compose(...up);
  report('containers made anew, a volume of secrets lost: the key goes on', await searchFaults(url, key, 'third'));
  report(
    'all secrets are those of before',
    faultIf(JSON.stringify(await keptSecrets()) !== JSON.stringify(kept), 'they are others'),
  );
}

async function keptSecrets(): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await drawnFile(PROJECT, 'kept/secrets.json'));
}

/** What is drawn stands nowhere but in volumes, each program sees its own file, and nothing listens beyond this machine. */
async function checkSecrecy(compose: Compose, kept: Readonly<Record<string, string>>): Promise<void> {
  const ids = (await compose('ps', '--all', '--quiet')).trim().split('\n');
  const described = await run('docker', ['inspect', ...ids]);
  const logged = await compose('logs');
  const shown = Object.entries(kept).filter(([, secret]) => described.includes(secret) || logged.includes(secret));
  report(
    `${Object.keys(kept).length} secrets stand in the description and the log of none of ${ids.length} containers`,
    shown.map(([name]) => `${name} does`),
  );
  const list = 'process.stdout.write(require("node:fs").readdirSync("/run/ces").join())';
  const node = ['/nodejs/bin/node', '-e', list];
  for (const program of PROGRAMS) {
    const seen = await compose('exec', '-T', program, ...node);
    report(`${program} sees its own settings alone`, faultIf(seen !== 'settings.env', seen));
  }
  const containers = JSON.parse(described) as {
    NetworkSettings: { Ports: Record<string, { HostIp: string }[] | null> };
  }[];
  const hosts = containers.flatMap(({ NetworkSettings: { Ports } }) =>
    Object.values(Ports).flatMap((one) => one ?? []),
  );
  report('ports are published at 127.0.0.1 alone', [
    ...faultIf(hosts.length === 0, 'none is'),
    ...hosts.filter(({ HostIp }) => HostIp !== '127.0.0.1').map(({ HostIp }) => `one is at ${HostIp}`),
  ]);
}

async function issueKey(compose: Compose): Promise<string> {
  const ces = async (...words: readonly string[]) =>
    JSON.parse(await compose('run', '--rm', '-T', 'ces', ...words, '--reason', 'lab', '--json'));
  const { id } = await ces('account', 'create', 'Example Agency');
  await ces('subscription', 'create', String(id), '--plan', 'builder');
  const { token } = await ces('key', 'issue', String(id));
  return token;
}

async function searchFaults(url: string, key: string, requestKey: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': requestKey };
  const body = JSON.stringify({ query: 'cold storage companies opening a warehouse', limit: 1 });
  const response = await fetch(`${url}/api/companies/search`, { method: 'POST', headers, body });
  const answer = await response.text();
  const { companies = [] } = JSON.parse(answer) as { companies?: readonly unknown[] };
  return faultIf(companies.length !== 1, `${response.status} ${answer}`);
}
