import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { CompanySchema, Country, DemandClass, Kind, ObservationSchema } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type Principal, PrincipalSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import {
  Action,
  type OperationAnswer,
  OperationAnswerSchema,
  Status,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';

export const TOKEN = 'ces_live_test';
export const OTHER_TOKEN = `${TOKEN}other`;
export const VERSION = { epoch: 'one', version: 1n };
export const AT = timestampFromDate(new Date('2026-03-04T05:06:07.089Z'));
const FINISHED_AT = timestampFromDate(new Date('2026-03-04T05:06:09.000Z'));

export function principalOf(bearer: string): Principal {
  if (bearer !== TOKEN && bearer !== OTHER_TOKEN) throw fail(FailureCode.INVALID_API_KEY, 'unknown');
  return create(PrincipalSchema, {
    accountId: bearer === TOKEN ? 7n : 17n,
    subscriptionId: 8n,
    credentialId: 9n,
    plan: 'builder',
    subscriptionStatus: 'active',
    pageLimit: 25,
    scopes: ['search', 'lookup', 'usage'],
  });
}

/** What the ledger answers; its changes cannot be listed unless a test scripts that. */
export function identityOf(bearer: string) {
  return { principal: principalOf(bearer), version: VERSION };
}

export const observation = create(ObservationSchema, {
  id: 31n,
  kind: Kind.PROCUREMENT_REQUEST,
  observedFact: 'Asks for bids.',
  whyItMayMatter: 'It buys.',
  demandClass: DemandClass.EXPLICIT_REQUEST,
  country: Country.CA,
  confidence: 0.9,
  occurredAt: AT,
  observedAt: AT,
  evidence: [{ id: 1n, sourceUri: 'https://a.example/1', excerpt: 'Bids are asked.', occurredAt: AT, observedAt: AT }],
  company: { id: 21n, name: 'A Ltd' },
});

export const company = create(CompanySchema, {
  id: 21n,
  name: 'A Ltd',
  domains: [{ id: 5n, hostname: 'a.example' }],
  observations: [observation],
});

type PlainInit<T> = Exclude<T, { readonly $typeName: string }>;
export type Outcome = NonNullable<PlainInit<MessageInitShape<typeof OperationAnswerSchema>>['outcome']>;

export function answerOf(
  outcome: Outcome,
  over: { readonly replayed?: boolean; readonly action?: Action } = {},
): OperationAnswer {
  const status =
    outcome.case === 'pending' ? Status.PENDING : outcome.case === 'failed' ? Status.FAILED : Status.DELIVERED;
  return create(OperationAnswerSchema, {
    usage: {
      id: 41n,
      status,
      requestKey: 'k',
      units: status === Status.DELIVERED ? { requestUnits: 1n, deliveredUnits: 7n, freshEvidenceUnits: 3n } : {},
    },
    allowance: {
      windowSeconds: 18_000n,
      windowRemaining: 59n,
      weeklyRemaining: 499n,
      windowLimit: 60n,
      weeklyLimit: 500n,
      windowResetSeconds: 17n,
      weeklyResetSeconds: 0n,
    },
    action: Action.COMPANY_SEARCH,
    createdAt: AT,
    ...(outcome.case !== 'pending' && { finishedAt: FINISHED_AT }),
    outcome,
    ...over,
  });
}

export const searched: Outcome = {
  case: 'companySearch',
  value: {
    asOf: AT,
    retrieval: Retrieval.LEXICAL,
    withheldUnits: 0n,
    companies: [
      {
        company,
        query: 'bids',
        demandClass: DemandClass.EXPLICIT_REQUEST,
        whyItMayMatter: 'It buys.',
        limitations: ['limited_source_coverage'],
      },
    ],
    candidateLimit: 100,
    coverage: {
      requestedCompanies: 10,
      targetCompanies: 10,
      availableCompanies: 1,
      returnedCompanies: 1,
      occurredAfter: AT,
      stopReason: 'sources_exhausted',
      limitations: ['limited_source_coverage'],
    },
  },
};

export const statement = {
  subscription: { plan: 'builder', status: 'active', currentPeriodStart: AT, currentPeriodEnd: AT },
  since: AT,
  until: AT,
  asOf: AT,
  totals: {},
};

export const usageReport = {
  subscription: {
    ...statement.subscription,
    effectiveLimits: { periodRequestUnits: 1n, weekRequestUnits: 1n, periodDeliveredUnits: 1n, weekDeliveredUnits: 1n },
  },
};
