import { createHash, randomBytes } from 'node:crypto';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { startProgress } from '@ces/cli/output/progress';
import { list } from '@ces/cli/output/table';
import { Refusal } from '@ces/cli/refusal';
import type { CesClient } from '@ces/client';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { percentile } from '../support/figures.ts';
import { configureEngine, engineNamed } from '../support/search-engine.ts';
import { openBenchStack } from '../support/stack.ts';
import { searchPage, subscribe } from '../support/subscriber.ts';

const USAGE =
  'npm run lab -- freshness [--records N] [--engine memory|opensearch] [--opensearch URL] [--json FILE] [--stack DATA_DIRECTORY]';
const RECORDS = 100;
const SOURCE = 'freshness-benchmark';
const COMPANY = 'company';
/** Stays below the limit of 50 calls a second for one credential. */
const POLL_MS = 25;
const GIVE_UP_MS = 30_000;

const { values: options } = readArguments(USAGE, {
  records: { type: 'string' },
  engine: { type: 'string', default: 'memory' },
  opensearch: { type: 'string' },
  json: { type: 'string' },
  stack: { type: 'string' },
});

await runBenchmark(measure, options.json);

async function measure(signal: AbortSignal): Promise<Figures> {
  const records = atLeastOne(options.records, RECORDS);
  await using engine = await configureEngine(engineNamed(options.engine), { openSearch: options.opensearch });
  const env = engine.settings;
  await using bench = await openBenchStack({ directory: options.stack, sample: true, env, signal });
  const record = bench.stack.client('lookup', RecordService);
  const gateway = await subscribe(bench.stack);
  await record.recordCompanies({
    source: SOURCE,
    companies: [{ key: COMPANY, name: 'Freshness Measurements', country: Country.CA }],
  });
  using progress = startProgress(process.stderr, 'records');
  const times: number[] = [];
  for (let index = 0; index < records; index += 1) {
    goOn(signal);
    const word = `q${randomBytes(8).toString('hex')}`;
    const observationId = await recordOne(record, word);
    times.push(await untilFound(gateway, word, Number(observationId)));
    progress.at(`${index + 1} of ${records}`, (index + 1) / records);
  }
  const at = (share: number) => Math.round(percentile(times, share));
  const figures = {
    engine: engine.name,
    load: os.loadavg()[0],
    records,
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    max_ms: at(1),
  };
  const text = list([
    ['engine', engine.name],
    ['load average', figures.load?.toFixed(1)],
    ['records', figures.records],
    ['p50', `${figures.p50_ms} ms`],
    ['p95', `${figures.p95_ms} ms`],
    ['p99', `${figures.p99_ms} ms`],
    ['slowest', `${figures.max_ms} ms`],
  ]);
  return {
    json: figures,
    text: `From the commit of a record to the answer of the first search that finds it:\n${text}`,
  };
}

async function recordOne(record: Client<typeof RecordService>, word: string): Promise<bigint> {
  const now = timestampFromDate(new Date());
  const fact = `The company opened a plant named ${word}.`;
  const { observations } = await record.recordEvidence({
    source: SOURCE,
    observations: [
      {
        key: word,
        companyKey: COMPANY,
        kind: Kind.FACILITY_EXPANSION,
        observedFact: fact,
        whyItMayMatter: 'Made for a measurement.',
        country: Country.CA,
        confidence: 0.9,
        occurredAt: now,
        observedAt: now,
        evidence: [{ sourceUri: `https://freshness.example/${word}`, excerpt: fact, occurredAt: now, observedAt: now }],
        contentHash: createHash('sha256').update(word).digest(),
      },
    ],
  });
  const [recorded] = observations;
  if (!recorded || recorded.observationId === 0n) throw new Refusal(`The record refused it: ${recorded?.reason}.`);
  return recorded.observationId;
}

async function untilFound(client: CesClient, word: string, observationId: number): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const asked = performance.now();
    const { companies } = await searchPage(client, { query: `plant named ${word}`, limit: 1 });
    const elapsed = performance.now() - begun;
    if (companies.some((company) => company.match.observation_ids.includes(observationId))) return elapsed;
    if (elapsed > GIVE_UP_MS) throw new Refusal(`Observation ${observationId} was not found within 30 s.`);
    await pause(Math.max(0, POLL_MS - (performance.now() - asked)));
  }
}
