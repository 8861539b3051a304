import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  TriedPageSchema,
  TriedRecordSchema,
  TrySourceRequest,
  TrySourceResponseSchema,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Source } from '../connector/source.ts';
import { insertAudit } from '../db/audit.ts';
import { readState, settingsOf } from '../db/source-state.ts';
import { publicUri } from '../fetch/target.ts';
import type { ReadObservation } from '../ingest/read-record.ts';
import { RunCounts } from '../ingest/run-counts.ts';
import { type TriedPage, type TriedRecord, type TryOptions, trySource as tryOut } from '../try/try-source.ts';
import { checkSetting, requireSource } from './check-setting.ts';
import type { Dependencies } from './dependencies.ts';

const MOST_PAGES = 5;
const MOST_RECORDS = 200;
const DEFAULT_RECORDS = 50;
const MAX_QUERY = 500;

export async function trySource(
  dependencies: Dependencies,
  request: TrySourceRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof TrySourceResponseSchema>> {
  const source = requireSource(dependencies, request.name);
  const options = checkOptions(source, request);
  const settings = await readSettings(dependencies, source, request.settings);
  await insertAudit(dependencies.pool, actorOf(context), 'try_source', {
    source: source.name,
    pages: options.pages,
    settings: request.settings,
  });
  const pages = await tryOut(dependencies, source, settings, options, context.signal);
  if (pages.length === 0)
    throw fail(FailureCode.INVALID_REQUEST, `${source.name} has nothing to ask for with these settings and words.`);
  return { pages: pages.map(toPage) };
}

function checkOptions(source: Source, { pages, records, query, exchanges }: TrySourceRequest): TryOptions {
  const { name } = source;
  if (!source.requests && !source.query)
    throw fail(FailureCode.INVALID_REQUEST, `${name} is only ever given files: use npx ces source ingest.`);
  if (pages < 0 || pages > MOST_PAGES)
    throw fail(FailureCode.INVALID_REQUEST, `pages must be from 1 to ${MOST_PAGES}.`);
  if (records < 0 || records > MOST_RECORDS)
    throw fail(FailureCode.INVALID_REQUEST, `records must be from 1 to ${MOST_RECORDS}.`);
  if ([...query].length > MAX_QUERY)
    throw fail(FailureCode.INVALID_REQUEST, `query must have at most ${MAX_QUERY} characters.`);
  if (!source.requests && query.trim() === '')
    throw fail(FailureCode.INVALID_REQUEST, `${name} answers searches: say in query what it is asked for.`);
  return { pages: pages || 1, records: records || DEFAULT_RECORDS, query, recordsExchanges: exchanges };
}

async function readSettings(
  { pool, config }: Dependencies,
  source: Source,
  overrides: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  for (const [name, value] of Object.entries(overrides)) checkSetting(source, name, value);
  const state = await readState(pool, source.name);
  if (state.enabled === false)
    throw fail(FailureCode.INVALID_REQUEST, `${source.name} is disabled (${state.reason}): enable it first.`);
  const tried = { ...state, settings: { ...state.settings, ...overrides } };
  const { values, missing } = settingsOf(source, tried, config.secrets);
  if (missing.length > 0)
    throw fail(
      FailureCode.INVALID_REQUEST,
      `${source.name} cannot be tried without its settings ${missing.join(', ')}.`,
    );
  return values;
}

function toPage(page: TriedPage): MessageInitShape<typeof TriedPageSchema> {
  const { request, document, exchange } = page;
  const counts = new RunCounts();
  for (const refusal of page.refusals) counts.refuse(refusal);
  return {
    uri: document?.uri ?? publicUri(request, new URL(request.url)),
    contentType: document?.contentType ?? '',
    bytes: BigInt(page.bytes),
    ...(document && { fetchedAt: timestampFromDate(document.fetchedAt) }),
    records: page.records.map(toRecord),
    hasMore: page.hasMore,
    followUps: BigInt(page.followUps.length),
    refused: counts.toRow().refused.map((one) => ({ ...one, count: BigInt(one.count) })),
    missingFields: [...page.missingFields],
    failure: page.failure,
    ...(exchange && { exchange: exchange.bytes(), exchangeCut: exchange.isCut() || page.hasMore }),
  };
}

function toRecord({ raw, read }: TriedRecord): MessageInitShape<typeof TriedRecordSchema> {
  return {
    key: raw.key,
    uri: raw.uri,
    observations: read.observations.map(toObservation),
    closes: read.closings.flatMap(({ eventIdentifiers }) =>
      eventIdentifiers.map(({ scheme, value }) => `${scheme} ${value}`),
    ),
    leftOut: read.leftOut.map(({ reason }) => reason),
    refused: read.refusals.map(({ field, reason }) => `${field} ${reason}`),
  };
}

function toObservation(one: ReadObservation) {
  const { company, occurredAt, expiresAt } = one;
  return {
    kind: one.kind,
    company: company.name,
    country: one.country,
    ...(occurredAt && { occurredAt: timestampFromDate(occurredAt) }),
    ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
    observedFact: one.observedFact,
    excerpts: [...one.excerpts],
    sourceUri: one.sourceUri,
    companyIdentifiers: [
      ...company.identifiers.map(({ scheme, value }) => `${scheme}:${value}`),
      ...company.hostnames.map((hostname) => `hostname:${hostname}`),
    ],
    confidence: one.confidence,
  };
}
