import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DATABASE_SERVICES, REPOSITORY } from '@ces/topology/services';
import { openWays, type Product, testEnvironment } from '../product/product.ts';
import type { Report, Seen } from '../report.ts';

interface Results {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Skips tests of addresses with NUL, which the proxy rejects itself. */
const NOT_OF_THE_PROXY = '^(?!.*1%00)';

export async function tryContract(product: Product, report: Report): Promise<void> {
  await report.row('the interface through the proxy', () => runTests(product));
}

async function runTests(product: Product): Promise<Seen> {
  const output = path.join(product.folder, 'contract.json');
  const parameters = [
    ...[path.join(REPOSITORY, 'node_modules/vitest/vitest.mjs'), 'run', 'test/contract/', '--no-file-parallelism'],
    ...['--testNamePattern', NOT_OF_THE_PROXY],
    ...['--reporter=json', `--outputFile=${output}`],
  ];
  await using ways = await openWays(DATABASE_SERVICES.map(({ name }) => name));
  const env = { ...process.env, ...(await testEnvironment(product, ways)) };
  const child = spawn(process.execPath, parameters, { cwd: REPOSITORY, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    messages = (messages + chunk).slice(-4_000);
  });
  const [code] = await once(child, 'close');
  const text = await readFile(output, 'utf8').catch(() => {
    throw new Error(`the tests ended with ${code}: ${messages}`);
  });
  const { numTotalTests, numPassedTests, numPendingTests, testResults } = JSON.parse(text) as Results;
  const faults = testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message ? [`${path.relative(REPOSITORY, name)}: ${message.slice(0, 500)}`] : []),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join(' ').slice(0, 500)}`),
  ]);
  if (code !== 0 && faults.length === 0) faults.push(`the tests ended with ${code}: ${messages}`);
  return {
    figures: { passed: numPassedTests, of: numTotalTests, 'left out': numPendingTests, files: testResults.length },
    faults,
  };
}
