import type { Company } from '../../schema/company.ts';
import type { SupportingObservation } from '../../schema/observation.ts';
import { oneLine } from './lines.ts';

const NAME_LENGTH = 120;
const FACT_LENGTH = 300;
const QUOTE_LENGTH = 240;
const ADDRESS_LENGTH = 300;

/** `A Ltd [company 21, a.example]`. */
export function companyTitle({ id, name, domains }: Pick<Company, 'id' | 'name' | 'domains'>): string {
  return `${oneLine(name, NAME_LENGTH)} [${[`company ${id}`, ...domains.map(({ hostname }) => hostname)].join(', ')}]`;
}

/** A fact and, below it, its newest evidence. */
export function observationLines(observation: SupportingObservation): string[] {
  const { id, kind, country, demand_class, confidence, occurred_at, observed_fact, evidence } = observation;
  const date = occurred_at?.slice(0, 10) ?? 'undated';
  const fact = oneLine(observed_fact, FACT_LENGTH);
  const [newest, ...others] = evidence;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return [
    `   - ${date} ${kind} (${demand_class}, ${country}, confidence ${confidence}, observation ${id}): ${fact}`,
    ...(newest
      ? [`     "${oneLine(newest.excerpt, QUOTE_LENGTH)}" ${oneLine(newest.source_uri, ADDRESS_LENGTH)}${more}`]
      : []),
  ];
}
