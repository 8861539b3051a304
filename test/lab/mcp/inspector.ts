import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';

const INSPECTOR = path.join(import.meta.dirname, 'node_modules/.bin/mcp-inspector');
const run = promisify(execFile);
const QUERY = 'cold storage warehouse expansion';

interface ToolResult {
  readonly structuredContent: { readonly usage: { readonly id: number; readonly status: string } };
}

export async function checkInspector(proxyUrl: string, mcpUrl: string, token: string): Promise<void> {
  const inspect = (...parameters: string[]) => runInspector([proxyUrl, '--transport', 'http', ...parameters]);
  const { tools } = (await inspect('--method', 'tools/list')) as { tools: { name: string }[] };
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['search_companies', 'get_companies'],
  );

  const key = randomUUID();
  const args = [`query=${QUERY}`, 'limit=3', `request_key=${key}`].flatMap((arg) => ['--tool-arg', arg]);
  const search = () =>
    inspect('--method', 'tools/call', '--tool-name', 'search_companies', ...args) as Promise<ToolResult>;
  const first = (await search()).structuredContent;
  const again = (await search()).structuredContent;
  assert.equal(first.usage.status, 'delivered');
  assert.deepEqual(again.usage, first.usage);

  const response = await fetch(new URL('/api/companies/search', mcpUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ query: QUERY, limit: 3 }),
  });
  assert.equal(response.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(await response.json(), again);
  console.log(
    `inspector: both tools listed, operation ${first.usage.id} searched, repeated and replayed over REST alike`,
  );
}

async function runInspector(parameters: readonly string[]): Promise<unknown> {
  const options = { maxBuffer: 16 * 1024 * 1024 };
  try {
    return JSON.parse((await run(process.execPath, [INSPECTOR, '--cli', ...parameters], options)).stdout);
  } catch (error) {
    console.error(`inspector: ${parameters.slice(3).join(' ')} failed`, (error as { stdout?: string }).stdout ?? error);
    process.exit(1);
  }
}
