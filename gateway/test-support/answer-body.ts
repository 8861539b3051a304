import type { CompanyDetail } from '../src/schema/company.ts';
import type { CompanyLookupResult } from '../src/schema/company-lookup.ts';
import type { CompanyResult } from '../src/schema/company-search.ts';
import type { DiagnosticResult } from '../src/schema/diagnostic.ts';
import type { ErrorBody } from '../src/schema/error.ts';
import type { ObservationDetail } from '../src/schema/observation.ts';
import type { ObservationLookupResult } from '../src/schema/observation-lookup.ts';
import type { ObservationResult } from '../src/schema/observation-search.ts';
import type { Pending } from '../src/schema/operation.ts';
import type { UsageList } from '../src/schema/usage-list.ts';
import type { UsageReport } from '../src/schema/usage-report.ts';
import type { UsageStatement } from '../src/schema/usage-statement.ts';

type Result = CompanyResult & ObservationResult & CompanyLookupResult & ObservationLookupResult & DiagnosticResult;

interface Message {
  readonly jsonrpc?: string;
  readonly result: {
    readonly isError?: boolean;
    readonly structuredContent: AnswerBody;
    readonly tools: readonly unknown[];
    readonly _meta: Readonly<Record<string, unknown>>;
  };
}

/** The members of all bodies of the interface; each test asserts which ones are present. */
export type AnswerBody = Result &
  Message &
  Pending &
  ErrorBody &
  UsageReport &
  UsageList &
  UsageStatement &
  CompanyDetail &
  ObservationDetail;
