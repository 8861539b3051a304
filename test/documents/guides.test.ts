import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readSettings } from '@ces/chassis/service/settings';
import { settings } from '@ces/cli/config';
import { findStack } from '@ces/cli/stack';
import { EXAMPLE, EXAMPLE_COMMAND } from '@ces/gateway/rest/pages/home/example';
import { type Stack, startStack } from '@ces/local/stack';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Block, blocksOf, readGuide } from '../support/guides/blocks.ts';
import { runBlocks } from '../support/guides/run-guide.ts';
import { differences } from '../support/guides/shown.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TIMEOUT_MS = 120_000;
const NAMES = globSync('*.md', { cwd: path.join(ROOT, 'gateway/docs/guides') })
  .map((file) => file.replace(/\.md$/, ''))
  .toSorted();
const LONGEST = 150;
/** A Python that has ces-client. Without one its examples are not run. */
const PYTHON = process.env.CES_PYTHON;

let directory: string;
let stack: Stack;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-guides-'));
  /* No embedder: the output must not depend on how many sample observations have a vector yet. */
  stack = await startStack({ dataDirectory: directory, port: 0, env: { CES_SEARCH_EMBEDDER: 'none' } });
}, TIMEOUT_MS);

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
}, TIMEOUT_MS);

describe.each(NAMES)('the guide %s', (name) => {
  const blocks = blocksOf(readGuide(name));

  test('says of each block what becomes of it, and why it is not run where it is not', () => {
    const fences = readGuide(name).match(/^```\w/gm) ?? [];
    expect(blocks).toHaveLength(fences.length);
    const unsaid = blocks.filter(({ use, reason }) => use === undefined || (use === 'illustration' && reason === ''));
    expect(unsaid).toEqual([]);
    const before = { output: ['run', 'tab'], tab: ['run', 'tab'], run: undefined, illustration: undefined };
    for (const [index, { use, line }] of blocks.entries()) {
      const allowed = use && before[use];
      if (allowed) expect({ line, fits: allowed.includes(blocks[index - 1]?.use ?? '') }).toEqual({ line, fits: true });
    }
  });

  test('has a title and a summary, and fits on two screens', () => {
    expect(readGuide(name)).toMatch(/^# .+\n\n(?:(?!```|[#|]).|\n(?!\n))+\.\n\n/);
    expect(readGuide(name).split('\n').length).toBeLessThanOrEqual(LONGEST);
  });

  test('prints the documented output when it is run from top to bottom', { timeout: TIMEOUT_MS }, async () => {
    const run = blocks.filter(({ use, language }) => isRun(use) && (language !== 'python' || PYTHON !== undefined));
    const printed = await runBlocks(run, { ...(await newReader()), CES_PYTHON: PYTHON ?? '' });
    expect(printed).toHaveLength(run.length || 1);
    const found = run.flatMap((block, index) => {
      const shown = blocks.slice(blocks.indexOf(block) + 1).find(({ use }) => use !== 'tab');
      return shown?.use === 'output' ? differencesOf(shown, printed[index] ?? '') : [];
    });
    expect(found).toEqual([]);
  });
});

test('the answer on the first page is what its command prints', { timeout: TIMEOUT_MS }, async () => {
  const block: Block = { language: 'sh', use: 'run', reason: '', code: EXAMPLE_COMMAND, line: 0 };
  const [printed = ''] = await runBlocks([block], await newReader());
  const answer = JSON.parse(printed);
  const { occurred_at, observed_at, ...facts } = EXAMPLE.observation;
  const [observation] = answer.companies[0].observations;
  expect(answer.usage).toMatchObject({ ...EXAMPLE.usage, request_key: EXAMPLE.requestKey });
  expect(answer.companies).toMatchObject([{ name: EXAMPLE.company, domains: [{ hostname: EXAMPLE.domain }] }]);
  expect(observation).toMatchObject({ ...facts, evidence: [{ excerpt: EXAMPLE.excerpt }] });
  expect(Date.parse(observed_at)).toBeGreaterThan(Date.parse(occurred_at));
});

function isRun(use: Block['use']): boolean {
  return use === 'run' || use === 'tab';
}

async function newReader(): Promise<Record<string, string>> {
  const config = readSettings(settings, { CES_DATA_DIR: directory });
  const ledger = findStack(config, 'tries the guides').client('ledger', LedgerAdminService);
  const { account } = await ledger.createAccount({ name: 'reader' });
  const accountId = account?.id ?? 0n;
  await ledger.createSubscription({ accountId, plan: 'builder' });
  const { token } = await ledger.issueCredential({ accountId, label: 'reader' });
  const { base_url, rpc } = stack.ready;
  return { base_url, api_key: token, operations: new URL(rpc.operations ?? '').host };
}

function differencesOf({ language, code, line }: Block, printed: string): readonly string[] {
  try {
    return differences(language, code, printed).map((difference) => `line ${line}: ${difference}`);
  } catch (error) {
    return [`line ${line}: ${error instanceof Error ? error.message : error}: ${printed}`];
  }
}
