import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { CompanySchema, Country, DemandClass, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  LedgerService,
  ReserveRequestSchema,
  ReserveResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import {
  HydrateRequestSchema,
  HydrateResponseSchema,
  LookupService,
} from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';

const AT = timestampFromMs(Date.UTC(2026, 10, 20));

/** The smallest call of ours that writes: about 30 bytes there and 20 back. */
export const RESERVE = {
  method: LedgerService.method.reserve,
  request: create(ReserveRequestSchema, {
    operationId: 123_456n,
    accountId: 17n,
    subscriptionId: 17n,
    units: { requestUnits: 1n, deliveredUnits: 10n },
  }),
  answer: create(ReserveResponseSchema, { outcome: { case: 'admitted', value: {} } }),
};

/** What a search of ten companies with one observation each reads: about 9 KB back. */
export const HYDRATE = {
  method: LookupService.method.hydrate,
  request: create(HydrateRequestSchema, {
    companies: Array.from({ length: 10 }, (_, n) => ({ companyId: BigInt(n + 1), observationIds: [BigInt(n + 1)] })),
  }),
  answer: create(HydrateResponseSchema, {
    readAt: AT,
    companies: Array.from({ length: 10 }, (_, n) => ({ survivorId: BigInt(n + 1), company: company(BigInt(n + 1)) })),
  }),
};

function company(id: bigint) {
  return create(CompanySchema, {
    id,
    name: `Company ${id} of a benchmark`,
    domains: [{ id, hostname: `company-${id}.example` }],
    observations: [
      {
        id,
        kind: Kind.FACILITY_EXPANSION,
        observedFact: 'A company of a benchmark is enlarging its plant by 40,000 square feet and 108 jobs.',
        whyItMayMatter: 'A larger plant needs equipment, contractors and staff.',
        demandClass: DemandClass.PROXY,
        country: Country.CA,
        confidence: 0.9,
        occurredAt: AT,
        observedAt: AT,
        evidence: [
          {
            id,
            sourceUri: `https://company-${id}.example/news/1`,
            excerpt: 'x'.repeat(500),
            occurredAt: AT,
            observedAt: AT,
          },
        ],
        company: { id, name: `Company ${id} of a benchmark` },
      },
    ],
  });
}

/** Every server of the benchmark checks it where it checks callers at all. */
export const CALLER_TOKEN = 'caller-token-of-a-benchmark';
