import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pythonDocument } from '@ces/client/python-document';
import { buildDocument } from '@ces/gateway/test-support/openapi';
import { CLIENT, type Environment } from './pythons.ts';

const PACKAGE = path.join(CLIENT, 'src/ces_client');

export async function generateClient(tools: Environment, folder = PACKAGE): Promise<void> {
  const parameters = [path.join(CLIENT, 'generate/generate.py'), folder];
  await tools.run('python', parameters, { input: pythonDocument(buildDocument()) });
}

/** Generates into a temporary folder and compares. */
export async function checkGenerated(tools: Environment): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-client-generated-'));
  try {
    await generateClient(tools, folder);
    let files = 0;
    for await (const name of glob('**/*.py', { cwd: folder })) {
      files += 1;
      const [is, should] = await Promise.all([PACKAGE, folder].map((root) => readFile(path.join(root, name), 'utf8')));
      if (is !== should) throw new Error(`${name} is old: run npm run lab -- client-python --generate`);
    }
    return `${files} files`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
