import { execFile } from 'node:child_process';
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import manifest from '../package.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '..');

export async function buildPackage(folder: string): Promise<void> {
  const lib = path.join(folder, 'lib');
  await rm(lib, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await compile(lib);
  await nameCompiledFiles(lib);
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(publishedManifest(), undefined, 2)}\n`);
  await cp(path.join(ROOT, 'README.md'), path.join(folder, 'README.md'));
}

/** Compiles with TypeScript 5, because newer versions can read its declarations too. */
async function compile(lib: string): Promise<void> {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = ['-p', path.join(ROOT, 'tsconfig.build.json'), '--outDir', lib];
  await promisify(execFile)(process.execPath, [compiler, ...options]).catch((error) => {
    throw new Error(`tsc failed: ${error.stdout?.trim() || error.message}`);
  });
}

/** The compiler leaves `.ts` in the imports of declarations, which some tools do not resolve. */
async function nameCompiledFiles(lib: string): Promise<void> {
  for await (const name of glob('**/*.d.ts', { cwd: lib })) {
    const file = path.join(lib, name);
    const declared = await readFile(file, 'utf8');
    await writeFile(file, declared.replace(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"));
  }
}

/** The manifest in the repository points to the sources, the published one to compiled files. */
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
