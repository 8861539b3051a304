import { notRecordedSentences } from '@ces/proto/not-recorded';
import { isQuoted } from '@ces/proto/quotation';
import { brief, count, instant, list, table } from './table.ts';

export type Body = Readonly<Record<string, unknown>>;

interface Observation {
  readonly id: number;
  readonly kind: string;
  readonly observed_fact: string;
  readonly country: string;
  readonly occurred_at: string | null;
  readonly evidence: readonly { readonly source_uri: string; readonly excerpt: string }[];
  readonly company?: { readonly id: number; readonly name: string };
}

interface Company {
  readonly id: number;
  readonly name: string;
  readonly domains: readonly { readonly hostname: string }[];
  readonly observations: readonly Observation[];
  readonly demand_class?: string;
  readonly why_it_may_matter?: string;
}

interface Lookup {
  readonly status: string;
  readonly id?: number;
  readonly domain?: string;
  readonly company_id?: number;
}

interface Coverage {
  readonly limitations: readonly string[];
}

const FACT_WIDTH = 100;
const EXCERPT_WIDTH = 160;

export function answerText(body: Body): string {
  const parts = [
    ...asList<Lookup>(body.lookups, lookupTable),
    ...asList<Company>(body.companies, (companies) => companies.map(companyText).join('\n\n') || nothingFound(body)),
    ...asList<Observation>(body.observations, (rows) => rows.map(observationText).join('\n') || 'No observations.'),
    ...(body.companies === undefined && body.observations === undefined && body.subscription ? [diagnosis(body)] : []),
    ...notRecordedSentences((body.coverage as Coverage | undefined)?.limitations ?? []),
    footer(body),
  ];
  return parts.join('\n\n');
}

function asList<T>(value: unknown, show: (items: readonly T[]) => string): string[] {
  return Array.isArray(value) ? [show(value as T[])] : [];
}

/** A look-up reports the outcome of each input instead. */
function nothingFound({ coverage, withheld_units: withheld }: Body): string {
  if (!coverage || withheld) return 'No companies.';
  return 'No companies: try other or fewer words, a longer --since, such as 180d, or fewer filters.';
}

function companyText(company: Company): string {
  const domains = company.domains.map((domain) => domain.hostname).join(', ');
  const heading = `${company.id}  ${company.name}${domains && `  (${domains})`}`;
  const why =
    company.why_it_may_matter === undefined
      ? []
      : [`  ${company.demand_class}: ${brief(company.why_it_may_matter, EXCERPT_WIDTH)}`];
  return [heading, ...why, ...company.observations.map((observation) => indent(observationText(observation)))].join(
    '\n',
  );
}

export function observationText({ id, kind, country, company, ...observation }: Observation): string {
  const day = observation.occurred_at?.slice(0, 10) ?? 'undated';
  const [evidence] = observation.evidence;
  const whose = company ? ` of ${company.id} ${company.name}` : '';
  const lines = [`${id}  ${kind} ${day} ${country}${whose}: ${brief(observation.observed_fact, FACT_WIDTH)}`];
  if (evidence) lines.push(`    ${quoted(evidence.excerpt)}`, `    ${evidence.source_uri}`);
  return lines.join('\n');
}

function quoted(excerpt: string): string {
  const text = brief(excerpt, EXCERPT_WIDTH);
  return isQuoted(text) ? text : `"${text}"`;
}

function lookupTable(lookups: readonly Lookup[]): string {
  return table(
    ['asked', 'outcome', 'company'],
    lookups.map(({ id, domain, status, company_id: companyId }) => [String(id ?? domain), status, companyId]),
  );
}

function diagnosis(body: Body): string {
  const { plan, status } = body.subscription as { plan: string; status: string };
  return `Plan ${plan}, ${status}.`;
}

function footer(body: Body): string {
  const usage = (body.usage ?? {}) as Body;
  const allowance = (body.request_allowance ?? {}) as Readonly<Record<string, number>>;
  const coverage = body.coverage as Body | undefined;
  const units = `${usage.request_units} request, ${usage.delivered_units} delivered, ${usage.fresh_evidence_units} fresh`;
  return list([
    ['usage', `${usage.id} ${usage.status}, key ${usage.request_key}`],
    ['units', units],
    ['left', `${count(allowance.window_remaining)} in the window, ${count(allowance.weekly_remaining)} in the week`],
    ...(coverage ? ([['coverage', coverageText(coverage)]] as const) : []),
    ...(body.withheld_units ? ([['withheld', Number(body.withheld_units)]] as const) : []),
    ...(typeof body.next_cursor === 'string' ? ([['next page', `--cursor ${body.next_cursor}`]] as const) : []),
  ]);
}

function coverageText(coverage: Body): string {
  const since = coverage.occurred_after ? `, events since ${instant(coverage.occurred_after)}` : '';
  return `${coverage.returned_companies} of ${coverage.available_companies ?? '?'} on the shortlist${since} (${coverage.stop_reason}); coverage is always partial`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
