import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { pythonDocument } from '@ces/client/python-document';
import { buildDocument } from '@ces/gateway/test-support/openapi';
import { REPOSITORY } from '@ces/topology/services';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

// Without Python. `npm run lab -- client-python` tests the client itself.

const read = (file: string) => readFile(path.join(REPOSITORY, 'gateway/client-python/src/ces_client', file), 'utf8');

test('the types of the Python client are of this OpenAPI document: else run npm run lab -- client-python --generate', async () => {
  const digest = hash('sha256', pythonDocument(buildDocument()));
  expect((await read('types.py')).split('\n')[0]).toBe(`# Generated from the OpenAPI document with sha256 ${digest}.`);
});

test('the Python client has the version of the product', async () => {
  expect(await read('_version.py')).toBe(`VERSION = "${manifest.version}"\n`);
});
