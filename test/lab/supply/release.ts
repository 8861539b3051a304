import { appendFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { hasGo, run } from '@ces/chart/check/programs';
import { drawSecrets, secretFiles } from '@ces/chart/secrets';
import { attachedTo, readAttached, TYPES } from '@ces/image/publish/attachments';
import { imageWorkspaces } from '@ces/image/publish/dockerfile';
import { type Provenance, provenanceFaults } from '@ces/image/publish/provenance';
import { findTools, type Tools } from '@ces/image/publish/tools';
import { REPOSITORY } from '@ces/topology/services';
import { contentFaults, readListing } from './contents.ts';
import { startDistribution, writeLogin } from './distribution.ts';
import { type Architecture, printedByImage, startEmulatedGateway } from './emulator.ts';
import { installedFor, readLock } from './lock.ts';
import { type Keys, makeKeys } from './signing.ts';
import { faultIf, inFolder, report, say } from './trial.ts';

const VERSION = '0.0.1-lab.1';
const TEAM = 'team/evidence';
const ARCHITECTURES = ['amd64', 'arm64'] as const;
const LOGIN = { user: 'lab', password: 'not-in-arguments' };

const { values } = parseArgs({ options: { base: { type: 'string' } } });

process.exitCode = await main();

/** Publishes twice to a registry that asks for a login, takes all of it back, and loads the bundle into an empty one; 1 on a fault. */
async function main(): Promise<number> {
  if (!(await hasGo())) {
    process.stderr.write('The registry and the programs that publish are built by Go, which is not installed here.\n');
    return 2;
  }
  return await inFolder('ces-published-', tryRelease);
}

interface Trial {
  readonly tools: Tools;
  readonly keys: Keys;
  readonly folder: string;
}

async function tryRelease(folder: string): Promise<void> {
  const tools = await findTools();
  const keys = await makeKeys(tools.paths.notation, folder, 'lab');
  process.env.XDG_CONFIG_HOME = path.join(folder, 'lab');
  await using registry = await startDistribution(path.join(folder, 'registry'), LOGIN);
  process.env.DOCKER_CONFIG = path.join(folder, 'docker');
  const trial = { tools, keys, folder };
  await refuseStranger(registry.host);
  await writeLogin(process.env.DOCKER_CONFIG, registry.host, LOGIN);
  const bundle = path.join(folder, 'ces.tar');
  const first = await publish(registry.host, bundle);
  const again = await publish(registry.host, path.join(folder, 'again.tar'));
  report('published again, nothing is another', [
    ...faultIf(first.image !== again.image, `the image is ${again.image}`),
    ...faultIf(first.chart !== again.chart, `the chart is ${again.chart}`),
    ...faultIf(
      again.lines.some((line) => line.startsWith('published:')),
      'something was published anew',
    ),
    ...faultIf(first.sum !== again.sum, `the bundle is ${again.sum}`),
  ]);
  const published = `${registry.host}/${TEAM}`;
  await checkImage(trial, published, first.image);
  await checkDescription(trial, `${published}/company-evidence-search@${first.image}`);
  await checkChart(trial, published, first);
  await checkBundle(trial, bundle, first);
}

interface Published {
  readonly image: string;
  readonly chart: string;
  /** SHA-256 of the bundle. */
  readonly sum: string;
  readonly lines: readonly string[];
}

async function publish(host: string, bundle: string): Promise<Published> {
  const startedAt = Date.now();
  const base = values.base === undefined ? ['--assemble-base'] : ['--base', values.base];
  const lines = (await release(['--registry', `${host}/${TEAM}`, '--sign', 'lab', '--bundle', bundle, ...base])).split(
    '\n',
  );
  const digest = (of: RegExp) => lines.map((line) => of.exec(line)?.[1]).find((found) => found !== undefined) ?? '';
  const size = ((await stat(bundle)).size / 2 ** 20).toFixed(0);
  say(`published in ${((Date.now() - startedAt) / 1000).toFixed(0)} s, bundle of ${size} MiB`);
  return {
    image: digest(/company-evidence-search:\S+@(sha256:\w+)/),
    chart: digest(/charts\/ces:\S+@(sha256:\w+)/),
    sum: digest(/^bundle: .* sha256 (\w+)/),
    lines,
  };
}

async function release(parameters: readonly string[]): Promise<string> {
  const program = path.join(REPOSITORY, 'deploy/image/publish/main.ts');
  return await run(process.execPath, [program, '--version', VERSION, '--plain-http', ...parameters]);
}

/** Before anything is built. */
async function refuseStranger(host: string): Promise<void> {
  const said = await release(['--registry', `${host}/${TEAM}`, '--unsigned']).then(
    () => 'it was published',
    (error: Error) => error.message.replace(/^\w+ failed: /, '').trim(),
  );
  report('without a login it is refused in one sentence', [
    ...faultIf(!said.includes('could not be asked') || said.includes('\n'), said),
  ]);
}

async function checkImage({ tools, folder }: Trial, published: string, digest: string): Promise<void> {
  const reference = `${published}/company-evidence-search@${digest}`;
  await tools.crane('validate', '--remote', reference);
  const expected = installedFor(await readLock(), await imageWorkspaces());
  const sizes: number[] = [];
  for (const architecture of ARCHITECTURES) {
    const archive = path.join(folder, `${architecture}.tar`);
    await tools.crane('export', '--platform', `linux/${architecture}`, reference, archive);
    const root = path.join(folder, architecture);
    await mkdir(root);
    await run('tar', ['--extract', '--file', archive, '--directory', root]);
    const entries = readListing(await listing(archive));
    sizes.push(entries.length);
    report(`${architecture}: ${entries.length} files, ${expected.size} npm packages`, contentFaults(entries, expected));
    await checkRun(architecture, root);
  }
}

async function checkRun(architecture: Architecture, root: string): Promise<void> {
  const version = await printedByImage(architecture, root, 'ces', '--version');
  report(`${architecture}: ces --version prints ${version}`, faultIf(version !== VERSION, `it must be ${VERSION}`));
  const secrets = new Map(
    secretFiles(
      drawSecrets(),
      (service) => `${service}:5432`,
      'lab',
      (service) => service,
    ),
  );
  const env = { CES_HOST: '127.0.0.1', CES_PORT: '0', CES_GATEWAY_ADMIN_PORT: '0', ...secrets.get('gateway') };
  await using gateway = await startEmulatedGateway(architecture, root, env);
  const { status } = await fetch(`${gateway.adminUrl}/livez`);
  report(`${architecture}: the gateway answers ${status} at /livez`, faultIf(status !== 200, 'it must be 200'));
}

/** Signatures, lists of parts and provenance of what a reference names, wherever it was copied to. */
async function checkDescription({ tools: { oras }, keys, folder }: Trial, reference: string): Promise<void> {
  await keys.verify(reference);
  const [attached = ''] = await attachedTo(oras, reference, TYPES.provenance);
  await keys.verify(attached);
  const revision = (await run('git', ['-C', REPOSITORY, 'rev-parse', 'HEAD'])).trim();
  const provenance = (await readAttached(oras, attached, folder)) as Provenance;
  const lock = provenance.predicate.buildDefinition.resolvedDependencies[1]?.digest.sha256 ?? '';
  report(
    'signed, with a provenance of this commit',
    provenanceFaults(provenance, { revision, lockDigest: lock, reference }),
  );
  const manifest = JSON.parse(await oras('manifest', 'fetch', '--plain-http', reference)) as {
    manifests: readonly { digest: string; platform: { os: string; architecture: string } }[];
  };
  const names = manifest.manifests.map(({ platform }) => `${platform.os}/${platform.architecture}`);
  report(`platforms: ${names.join(', ')}`, faultIf(names.join() !== 'linux/amd64,linux/arm64', 'others were expected'));
  for (const { digest, platform } of manifest.manifests)
    for (const type of [TYPES.spdx, TYPES.cyclonedx]) {
      const lists = await attachedTo(oras, `${reference.slice(0, reference.indexOf('@'))}@${digest}`, type);
      for (const list of lists) await keys.verify(list);
      report(
        `${platform.architecture}: ${lists.length} signed list of ${type}`,
        faultIf(lists.length !== 1, 'not one'),
      );
    }
}

/** What somebody gets who knows the address of the chart and nothing else. */
async function checkChart(
  { tools, keys, folder }: Trial,
  published: string,
  { image, chart }: Published,
): Promise<void> {
  await keys.verify(`${published}/charts/ces@${chart}`);
  const pulled = path.join(folder, 'pulled');
  await mkdir(pulled);
  const from = [`oci://${published}/charts/ces`, '--version', VERSION, '--plain-http'];
  await tools.helm('pull', ...from, '--destination', pulled, '--untar');
  const values = await readFile(path.join(pulled, 'ces/values.yaml'), 'utf8');
  report('the chart names the image by its digest', faultIf(!values.includes(`digest: ${image}`), 'it does not'));
  await expectImages(tools, ['release', ...from], `${published}/company-evidence-search@${image}`);
}

/** Every image of a rendered release is one. */
async function expectImages({ helm }: Tools, parameters: readonly string[], wanted: string): Promise<void> {
  const example = path.join(REPOSITORY, 'charts/ces/examples/minimal.yaml');
  const options = ['--values', example, '--set', 'toolbox.enabled=true'];
  const rendered = await helm('template', ...parameters, ...options);
  const images = [...rendered.matchAll(/^\s*(?:- )?image: "?([^"\n]+)"?$/gm)].map(([, name = '']) => name);
  const others = [...new Set(images)].filter((name) => name !== wanted);
  report(`${images.length} images of a rendered release are ${wanted}`, [
    ...faultIf(images.length === 0, 'there are none'),
    ...others.map((name) => `one is ${name}`),
  ]);
}

/** From the archive alone, into a registry that has nothing. */
async function checkBundle(trial: Trial, bundle: string, { image, chart }: Published): Promise<void> {
  const { folder, tools, keys } = trial;
  await using registry = await startDistribution(path.join(folder, 'second'));
  const site = `${registry.host}/site`;
  await run('tar', ['--extract', '--file', bundle, '--directory', folder]);
  const content = path.join(folder, `ces-${VERSION}`);
  const load = async () => await run(path.join(content, 'load'), [site, '--plain-http']);
  await load();
  const reference = `${site}/company-evidence-search@${image}`;
  await tools.crane('validate', '--remote', reference);
  await checkDescription(trial, reference);
  await keys.verify(`${site}/charts/ces@${chart}`);
  const named = ['--set', `image.registry=${registry.host}`, '--set', 'image.repository=site/company-evidence-search'];
  const from = [`oci://${site}/charts/ces`, '--version', VERSION, '--plain-http'];
  await expectImages(tools, ['release', ...from, ...named], reference);
  await load();
  say('the bundle is loaded twice without harm');
  const blobs = path.join(content, 'image/blobs/sha256');
  const [blob = ''] = await readdir(blobs);
  await run('chmod', ['u+w', path.join(blobs, blob)]);
  await appendFile(path.join(blobs, blob), ' ');
  const said = await load().then(
    () => 'it was loaded',
    (error: Error) => error.message,
  );
  report('a bundle with a byte more is refused', faultIf(!said.includes('not what was written'), said));
}

async function listing(archive: string): Promise<string> {
  const options = ['--list', '--verbose', '--numeric-owner', '--full-time', '--file', archive];
  return await run('tar', options);
}
