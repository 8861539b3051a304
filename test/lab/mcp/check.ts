import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startFixture } from '@ces/gateway/test-support/conformance/server';
import { TOKEN } from '@ces/gateway/test-support/peers';
import { startBearerProxy } from './bearer-proxy.ts';
import { checkInspector } from './inspector.ts';
import { findServer } from './server.ts';

const REVISIONS = ['2026-07-28', '2025-11-25'];
const RUNNER = path.join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

await checkFixture();
await checkProduction();

/** Checks only the transport, with a fixture of everything that the suite calls. */
async function checkFixture(): Promise<void> {
  await using gateway = await startFixture();
  await using proxy = await startBearerProxy(`${gateway.url}/mcp`, TOKEN);
  for (const revision of REVISIONS) await checkConformance('fixture', revision, proxy.url);
}

async function checkProduction(): Promise<void> {
  const { url, token } = await findServer();
  await using proxy = await startBearerProxy(url, token);
  for (const revision of REVISIONS) await checkConformance('production', revision, proxy.url);
  await checkInspector(proxy.url, url, token);
}

/**
 * Checks all requirements of the revision. expected/<leg>/<revision>.yaml lists accepted failures
 * with reasons.
 */
async function checkConformance(leg: string, revision: string, mcpUrl: string): Promise<void> {
  const baseline = path.join(import.meta.dirname, 'expected', leg, `${revision}.yaml`);
  const options = ['--url', mcpUrl, '--requirements', revision, '--expected-failures', baseline];
  const child = spawn(process.execPath, [RUNNER, 'server', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  const summary = output.slice(Math.max(0, output.lastIndexOf('=== SUMMARY ===')));
  if (code !== 0) {
    console.error(summary);
    console.error(
      `conformance, ${leg}, ${revision}: something failed that is not expected, or no longer fails; see above`,
    );
    process.exit(1);
  }
  const total = /^Total: .*$/m.exec(summary)?.[0] ?? 'done';
  console.log(`conformance, ${leg}, ${revision}: ${total}; every failure is an expected one`);
}
