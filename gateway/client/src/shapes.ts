import { isObject, isUsage, type JsonObject } from './answer.ts';
import type {
  AnyResult,
  CompanyDetail,
  CompanyLookupResult,
  CompanyResult,
  DiagnosticResult,
  ObservationDetail,
  ObservationLookupResult,
  UsageList,
  UsageReport,
  UsageStatement,
} from './generated/openapi.ts';
import type { SourceList } from './sources.ts';

// Distinguish the interface from proxies; the service validates its own schemas.

type Shape<Body> = (body: JsonObject) => body is JsonObject & Body;

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);

export const isAnyResult = shape<AnyResult>({ usage: isUsage, request_allowance: isObject });
export const isCompanyResult = shape<CompanyResult>({
  usage: isUsage,
  companies: Array.isArray,
  coverage: isObject,
  next_cursor: isTextOrNull,
});
export const isCompanyLookupResult = shape<CompanyLookupResult>({
  usage: isUsage,
  companies: Array.isArray,
  lookups: Array.isArray,
});
export const isObservationLookupResult = shape<ObservationLookupResult>({
  usage: isUsage,
  observations: Array.isArray,
  domains: Array.isArray,
  next_cursor: isTextOrNull,
});
export const isDiagnosticResult = shape<DiagnosticResult>({ usage: isUsage, subscription: isObject });
export const isCompanyDetail = shape<CompanyDetail>({ company: isObject });
export const isObservationDetail = shape<ObservationDetail>({ observation: isObject });
export const isUsageReport = shape<UsageReport>({ subscription: isObject, usage: isObject, limits: isObject });
export const isUsageList = shape<UsageList>({ usages: Array.isArray, next_cursor: isTextOrNull });
export const isUsageStatement = shape<UsageStatement>({
  entries: Array.isArray,
  totals: isObject,
  next_cursor: isTextOrNull,
});
export const isSourceList = shape<SourceList>({ sources: Array.isArray });

function shape<Body>(members: { readonly [member in keyof Body]?: (value: unknown) => boolean }): Shape<Body> {
  const checks = Object.entries(members) as [string, (value: unknown) => boolean][];
  return (body): body is JsonObject & Body => checks.every(([member, check]) => check(body[member]));
}
