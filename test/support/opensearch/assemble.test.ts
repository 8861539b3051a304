import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assembleOpenSearch, findOpenSearch, NotAssembled } from './assemble.ts';

const searchPath = process.env.PATH;

let folder: string;
let cache: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ces-assemble-'));
  cache = path.join(folder, 'cache');
});

afterEach(async () => {
  process.env.PATH = searchPath;
  await rm(folder, { recursive: true, force: true });
});

test('a machine without Maven gets an error, and the cache stays empty', async () => {
  process.env.PATH = folder;
  await expect(assembleOpenSearch(cache)).rejects.toThrow(new NotAssembled('there is no mvn'));
  expect(await readdir(cache)).toEqual([]);
  expect(await findOpenSearch(cache)).toBeUndefined();
});

test('a Maven that reaches no registry is named with its error', async () => {
  await installMaven('echo "[INFO] Building"; echo "[ERROR] Unknown host"; exit 1');
  await expect(assembleOpenSearch(cache)).rejects.toThrow(new NotAssembled('mvn failed ([ERROR] Unknown host)'));
});

test('other files than were pinned are refused before any is run', async () => {
  await installMaven(
    'for p; do case "$p" in -DoutputDirectory=*) folder=$(expr "$p" : ".*Directory=\\(.*\\)") && mkdir "$folder" && echo other > "$folder/a.jar";; esac; done',
  );
  await expect(assembleOpenSearch(cache)).rejects.toThrow(
    /^what Maven brought is not what was pinned \([0-9a-f]{64}, not /,
  );
  expect(await readdir(cache)).toEqual([]);
});

async function installMaven(script: string): Promise<void> {
  await writeFile(path.join(folder, 'mvn'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env.PATH = `${folder}${path.delimiter}${searchPath}`;
}
