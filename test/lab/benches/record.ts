import { createHash, randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { settings } from '@ces/lookup/config';
import { start } from '@ces/lookup/start';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type CompanyRecordSchema,
  type ObservationRecordSchema,
  RecordOutcome,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { openBenchDatabase } from './record/database.ts';

// How many observations a second one writer records over RPC, with companies to resolve and events to match, beside the
// same records imported without: npm run lab -- record [--observations N] [--companies N]
const { values: options } = parseArgs({ options: { observations: { type: 'string' }, companies: { type: 'string' } } });
const OBSERVATIONS = Number(options.observations ?? 20_000);
const COMPANIES = Number(options.companies ?? 4_000);
const BATCH = 500;
const ONE_DAY = timestampFromMs(Date.UTC(2026, 3, 1));

type CompanyShape = MessageInitShape<typeof CompanyRecordSchema>;
type ObservationShape = Exclude<MessageInitShape<typeof ObservationRecordSchema>, { readonly $typeName: string }>;

await using database = await openBenchDatabase();
await using service = await start(
  readSettings(settings, {
    CES_LOOKUP_PORT: '0',
    CES_LOOKUP_DATABASE_URL: database.url,
    CES_RPC_CALLER_TOKENS: 'admin=admin',
    CES_NATS_PREFIX: `bench_${randomBytes(4).toString('hex')}`,
  }),
  createLogger('lookup', 'fatal'),
);
const record = createRpcClient(RecordService, { url: service.url, callerToken: 'admin', timeoutMs: 60_000 });

const imported = await rate('imported without resolution', async () => {
  const companies = Array.from({ length: COMPANIES }, (_, n) => companyOf(n, 'imported'));
  for (const batch of batches(companies)) await record.recordCompanies({ source: 'data set', companies: batch });
  await write('data set', (n) => ({ companyKey: companyOf(n % COMPANIES, 'imported').key ?? '' }));
});
const first = await rate('resolved, first source', () => write('first', inlineFields('first')));
const second = await rate('resolved, the same events from a second source', () =>
  write('second', inlineFields('second')),
);
const again = await rate('the second source again, unchanged', () => write('second', inlineFields('second')));
const alike = await rate('of one company, day and title, told apart by number', () => write('alike', alikeFields));
const others = await rate('of one day and title, each of another company', () => write('others', otherFields));
for (const [name, value] of Object.entries({ first, second, again, alike, others }))
  console.log(`${name} / imported = ${(value / imported).toFixed(2)}`);

async function rate(name: string, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  const perSecond = OBSERVATIONS / ((performance.now() - began) / 1000);
  console.log(`${name}: ${Math.round(perSecond)} observations/s`);
  return perSecond;
}

async function write(source: string, fields: (n: number) => ObservationShape): Promise<void> {
  const observations = Array.from({ length: OBSERVATIONS }, (_, n) => observationOf(n, source, fields(n)));
  for (const batch of batches(observations)) {
    const answer = await record.recordEvidence({ source, observations: batch });
    const bad = answer.observations.find((one) => one.outcome === RecordOutcome.REFUSED);
    if (bad) throw new Error(bad.reason);
  }
}

/** What a connector sends: a company by name and website, a solicitation number, a title. */
function inlineFields(source: string): (n: number) => ObservationShape {
  return (n) => {
    const company = companyOf(n % COMPANIES, source);
    return {
      company,
      eventIdentifiers: [{ scheme: 'solicitation', value: `${eventOf(source)}${String(n).padStart(9, '0')}/A` }],
      title: `Supply of part ${n}`,
      hostnames: company.hostnames ?? [],
    };
  };
}

/** The first two sources tell of the same events. */
function eventOf(source: string): string {
  return ['first', 'second'].includes(source) ? 'W' : source;
}

/** A site's many projects, a board's many openings. */
function alikeFields(n: number): ObservationShape {
  const fields = inlineFields('alike')(n);
  return { ...fields, company: companyOf(0, 'alike'), title: 'Solar plant', occurredAt: ONE_DAY };
}

function otherFields(n: number): ObservationShape {
  return { ...inlineFields('others')(n), title: 'Warehouse associate', occurredAt: ONE_DAY };
}

/** Sources write one company in different ways; imported ones are others. */
function companyOf(n: number, source: string): CompanyShape & { readonly key: string; readonly hostnames: string[] } {
  const word = createHash('sha256')
    .update(`${source === 'imported' ? 'i' : 'c'} ${n}`)
    .digest('hex')
    .slice(0, 12);
  const name = source === 'second' ? `${word.toUpperCase()} FOUNDRY LIMITED` : `${word} Foundry Ltd.`;
  return { key: `${source} ${n}`, name, country: Country.CA, hostnames: n % 2 ? [`${word}.example`] : [] };
}

function observationOf(n: number, source: string, fields: ObservationShape): ObservationShape {
  const at = timestampFromMs(Date.UTC(2026, 0, 1) + n * 1000);
  return {
    key: `${source} ${n}`,
    kind: Kind.PROCUREMENT_REQUEST,
    observedFact: `A buyer is requesting part ${n}, closes 2026-12-31`,
    whyItMayMatter: 'A buyer asks for bids.',
    country: Country.CA,
    confidence: 0.9,
    occurredAt: at,
    observedAt: at,
    evidence: [
      {
        sourceUri: `https://${source.replace(' ', '-')}.example/notice/${n}`,
        excerpt: `The buyer has a requirement for the supply and delivery of part ${n} to its depot. `.repeat(4).trim(),
        occurredAt: at,
        observedAt: at,
      },
    ],
    contentHash: createHash('sha256').update(`${source} ${n}`).digest(),
    ...fields,
  };
}

function batches<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, n) => rows.slice(n * BATCH, (n + 1) * BATCH));
}
