import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findGateway } from './gateway.ts';
import { run } from './run.ts';
import { callAsDescribed } from './schemathesis.ts';

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '25' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

await using folder = await makeTemporaryFolder();
await using gateway = await findGateway(folder.path);
await lint(gateway.url);
await callAsDescribed(gateway, folder.path, values);

/** Every rule of the linter, none of which may be broken; it makes no call outside. */
async function lint(url: string): Promise<void> {
  const document = path.join(folder.path, 'openapi.json');
  await writeFile(document, await (await fetch(`${url}/openapi.json`)).text());
  await run('node_modules/.bin/redocly', ['lint', '--config', 'redocly.yaml', document], {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  });
}

/** A folder that is gone at the end. */
async function makeTemporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const made = await mkdtemp(path.join(tmpdir(), 'ces-openapi-'));
  return { path: made, [Symbol.asyncDispose]: () => rm(made, { recursive: true, force: true }) };
}
