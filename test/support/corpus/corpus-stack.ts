import { findImportFiles } from '@ces/cli/import/files';
import { importFiles } from '@ces/cli/import/importer';
import { expect, vi } from 'vitest';
import { NO_FLOOD_LIMITS } from '../no-flood-limits.ts';
import { startTestStack, type TestStack } from '../stack.ts';
import { createSubscriber, type Subscriber } from '../subscriber.ts';
import type { Corpus } from './corpus.ts';

const INDEX_LIMIT_MS = 120_000;
const PLENTY = 1_000_000_000n;
/** Tests call faster than any subscriber. A busy machine must not fail a search. */
const SETTINGS = {
  ...NO_FLOOD_LIMITS,
  // The sets that filters find are compared exactly.
  CES_SEARCH_MINIMUM_RELEVANCE: '0',
};

export interface CorpusStack extends AsyncDisposable {
  readonly stack: TestStack;
  readonly hostnames: ReadonlyMap<number, readonly string[]>;
}

/**
 * Starts a stack and imports and indexes a corpus. It drops expiry dates, because much of the
 * corpus is old.
 */
export async function startCorpusStack(corpus: Corpus): Promise<CorpusStack> {
  const hostnames = new Map<number, readonly string[]>();
  const stack = await startTestStack({ env: SETTINGS });
  const report = await importFiles({
    files: await findImportFiles([corpus.folder]),
    dataset: 'corpus',
    keepExpiry: false,
    skipBadLines: false,
    record: stack.record,
    signal: new AbortController().signal,
    onMapped: (rows) => {
      for (const { kind, id, file_id: fileId } of rows)
        if (kind === 'company') hostnames.set(id, corpus.hostnames.get(String(fileId)) ?? []);
    },
  });
  if (report.stopped) throw report.stopped;
  expect(report.observations.read).toBe(corpus.observations);
  const caughtUp = async () => expect((await stack.searchAdmin.getIndexStatus({})).lag).toBe(0n);
  await vi.waitFor(caughtUp, { timeout: INDEX_LIMIT_MS, interval: 100 });
  return { stack, hostnames, [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
}

export async function createRichSubscriber(stack: TestStack): Promise<Subscriber> {
  return await createSubscriber(stack, {
    limits: {
      windowRequestUnits: PLENTY,
      weekRequestUnits: PLENTY,
      periodRequestUnits: PLENTY,
      windowDeliveredUnits: PLENTY,
      weekDeliveredUnits: PLENTY,
      periodDeliveredUnits: PLENTY,
    },
  });
}
