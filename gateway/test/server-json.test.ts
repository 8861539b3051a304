import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };

/** The registry's schema of 2025-12-11, reduced to what a remote server needs. */
function object(properties: Readonly<Record<string, object>>, required: readonly string[]) {
  return { type: 'object', additionalProperties: false, properties, required };
}

const input = { description: text, isRequired: flag, isSecret: flag, value: text };
const variables = { type: 'object', additionalProperties: object(input, ['description']) };
const header = object({ ...input, name: text, variables }, ['name']);
const url = { type: 'string', pattern: '^https?://[^\\s]+$' };
const remote = object(
  { type: { const: 'streamable-http' }, url, variables, headers: { type: 'array', items: header } },
  ['type', 'url'],
);
const server = object(
  {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { type: 'string', maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: { ...text, maxLength: 100 },
    description: { ...text, maxLength: 100 },
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    remotes: { type: 'array', minItems: 1, items: remote },
  },
  ['$schema', 'name', 'description', 'version', 'remotes'],
);

test('server.json is what the MCP registry takes, and says how a credential is sent', async () => {
  const written = JSON.parse(await readFile(new URL('../../server.json', import.meta.url), 'utf8'));
  const validate = new Ajv2020({ strict: false }).compile(server);
  validate(written);
  expect(validate.errors).toBeNull();
  const [{ url: address, headers }] = written.remotes;
  expect(address).toMatch(/\/mcp$/);
  expect(headers).toEqual([
    expect.objectContaining({ name: 'Authorization', value: 'Bearer {access_token}', isSecret: true }),
  ]);
});
