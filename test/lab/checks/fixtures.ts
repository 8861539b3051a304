import os from 'node:os';
import { waitForIndex } from '@ces/cli/index-position';
import { Refusal } from '@ces/cli/refusal';
import { readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { openBenchStack } from '../support/stack.ts';
import { openCommandLine } from './fixtures/command-line.ts';
import { contactsOf } from './fixtures/contact-fields.ts';
import { findDocuments } from './fixtures/documents.ts';
import { findPersonalData } from './fixtures/find-personal-data.ts';
import { faultsOf, textOf } from './fixtures/report.ts';
import { tallyOf } from './fixtures/tally.ts';

const USAGE = 'npm run lab -- fixtures FOLDER [--json FILE] [--stack DATA_DIRECTORY]';

const { positionals, values: options } = readArguments(USAGE, { json: { type: 'string' }, stack: { type: 'string' } });

await runBenchmark(check, options.json);

/** Ingests every document of a folder twice by `ces`, verifies all evidence, and searches all that is recorded for contacts of persons. */
async function check(signal: AbortSignal): Promise<Figures> {
  const [folder] = positionals;
  if (folder === undefined) throw new Refusal(`Name the folder of published documents: ${USAGE}`);
  const { read, unread } = await findDocuments(folder);
  const contacts = await contactsOf(read.flatMap(({ files }) => files));
  await using bench = await openBenchStack({ directory: options.stack, sample: false, signal });
  const ces = openCommandLine(bench.directory, signal);
  const tallies = new Map(read.map(({ source }) => [source, tallyOf(source)]));
  for (const turn of ['first', 'second'] as const)
    for (const { source, files } of read) {
      goOn(signal);
      tallies.get(source)?.add(turn, await ces.ingest(source, files));
    }
  const verification = await ces.verifyEvidence();
  await waitForIndex(bench.stack, { signal });
  const personalData = await findPersonalData(bench.directory, contacts);
  const found = { sources: [...tallies.values()].map((tally) => tally.row()), unread, verification, personalData };
  const faults = faultsOf(found);
  if (faults.length > 0) process.exitCode = 1;
  return {
    json: { folder, load: os.loadavg()[0], ...found, faults },
    text: textOf(found, faults),
  };
}
