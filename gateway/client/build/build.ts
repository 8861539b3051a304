import { execFile } from 'node:child_process';
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import manifest from '../package.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '..');

/** Makes the package as it is published, in `folder`: plain JavaScript, declarations, README and a manifest of its own. */
export async function buildPackage(folder: string): Promise<void> {
  const lib = path.join(folder, 'lib');
  await rm(lib, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await compile(lib);
  await nameCompiledFiles(lib);
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(publishedManifest(), undefined, 2)}\n`);
  await cp(path.join(ROOT, 'README.md'), path.join(folder, 'README.md'));
}

/** By the last compiler of the 5 series: what it declares, newer ones read too. */
async function compile(lib: string): Promise<void> {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = ['-p', path.join(ROOT, 'tsconfig.build.json'), '--outDir', lib];
  await promisify(execFile)(process.execPath, [compiler, ...options]).catch((error) => {
    throw new Error(`tsc failed: ${error.stdout?.trim() || error.message}`);
  });
}

/** The compiler leaves `.ts` in what declarations import, which not every reader of them follows. */
async function nameCompiledFiles(lib: string): Promise<void> {
  for await (const name of glob('**/*.d.ts', { cwd: lib })) {
    const file = path.join(lib, name);
    const declared = await readFile(file, 'utf8');
    await writeFile(file, declared.replace(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"));
  }
}

/** In this tree the package is its sources; what is published is what they compile to. */
function publishedManifest(): object {
  const { name, version, description, license, type } = manifest;
  return {
    ...{ name, version, description, license, type },
    keywords: ['company', 'evidence', 'search', 'client'],
    engines: { node: '>=20.3' },
    sideEffects: false,
    exports: { '.': { types: './lib/index.d.ts', default: './lib/index.js' } },
    files: ['lib'],
  };
}
