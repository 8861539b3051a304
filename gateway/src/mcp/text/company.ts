import type { Company } from '../../schema/company.ts';
import type { Evidence, SupportingObservation } from '../../schema/observation.ts';
import type { Detail } from './fit-companies.ts';
import { oneLine } from './lines.ts';

const NAME_LENGTH = 120;
const FACT_LENGTH = 300;
const BRIEF_FACT_LENGTH = 80;
const QUOTE_LENGTH = 240;
const ADDRESS_LENGTH = 300;
const MAX_HOSTNAMES = 5;

export function companyLines(company: Company, number: number, detail: Detail, why = ''): string[] {
  const { observations } = company;
  const [best] = observations;
  if (detail === 'brief') return [`${number}. ${companyTitle(company, 1)}${best ? `: ${briefFact(best)}` : ''}`];
  const shown = detail === 'whole' ? observations : observations.slice(0, 1);
  return [`${number}. ${companyTitle(company, MAX_HOSTNAMES)}${why}`, ...shown.flatMap(observationLines)];
}

function companyTitle({ id, name, domains }: Company, maxHostnames: number): string {
  const hostnames = domains.slice(0, maxHostnames).map(({ hostname }) => hostname);
  const more = domains.length > maxHostnames ? [`${domains.length - maxHostnames} more domains`] : [];
  return `${oneLine(name, NAME_LENGTH)} [${[`company ${id}`, ...hostnames, ...more].join(', ')}]`;
}

function observationLines(observation: SupportingObservation): string[] {
  const { id, kind, country, demand_class, confidence, observed_fact, evidence } = observation;
  const fact = oneLine(observed_fact, FACT_LENGTH);
  const [newest, ...others] = evidence;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return [
    `   - ${dayOf(observation)} ${kind} (${demand_class}, ${country}, confidence ${confidence}, observation ${id}): ${fact}`,
    ...(newest ? [`     "${oneLine(newest.excerpt, QUOTE_LENGTH)}" ${linkOf(newest)}${more}`] : []),
  ];
}

function briefFact(observation: SupportingObservation): string {
  const [newest] = observation.evidence;
  const fact = oneLine(observation.observed_fact, BRIEF_FACT_LENGTH);
  return `${dayOf(observation)} ${observation.kind}: ${fact}${newest ? ` ${linkOf(newest)}` : ''}`;
}

function dayOf({ occurred_at }: SupportingObservation): string {
  return occurred_at?.slice(0, 10) ?? 'undated';
}

function linkOf({ source_uri }: Evidence): string {
  return oneLine(source_uri, ADDRESS_LENGTH);
}
