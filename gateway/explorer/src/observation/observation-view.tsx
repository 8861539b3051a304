import type { Observation } from '@ces/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { CompanyLink } from '../company/company-link.tsx';
import { Instant } from '../ui/instant.tsx';
import { wayOf } from '../words/confidence.ts';
import { COUNTRIES } from '../words/countries.ts';
import { DEMAND_CLASSES } from '../words/demand-classes.ts';
import { KINDS } from '../words/kinds.ts';
import { CATEGORIES } from './categories.ts';
import { EvidenceRows } from './evidence-rows.tsx';
import styles from './observation.module.css';

export function ObservationView({ observation }: { readonly observation: Observation }) {
  const { id, company, observed_fact: fact, why_it_may_matter: why, evidence } = observation;
  return (
    <article className={styles.observation} aria-labelledby={`observation-${id}`}>
      <h2 id={`observation-${id}`}>{fact}</h2>
      <p>{why}</p>
      <dl className={styles.facts}>
        {factsOf(observation).map(([name, value, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            {meaning && <dd className={styles.meaning}>{meaning}</dd>}
          </div>
        ))}
        <div>
          <dt>Company</dt>
          <dd>
            <CompanyLink id={company.id} name={company.name} /> (id {company.id})
          </dd>
        </div>
        <div>
          <dt>Observation</dt>
          <dd>
            <Link href={`/observations/${id}`}>{id}</Link>
          </dd>
        </div>
      </dl>
      <EvidenceRows evidence={evidence} />
    </article>
  );
}

type Fact = readonly [name: string, value: ReactNode, meaning?: string];

function factsOf(observation: Observation): readonly Fact[] {
  const { kind, demand_class: demandClass, country, confidence, categories = [] } = observation;
  const { occurred_at: occurredAt, observed_at: observedAt, expires_at: expiresAt } = observation;
  return [
    ['Kind', KINDS[kind]],
    ['Demand class', DEMAND_CLASSES[demandClass].name, DEMAND_CLASSES[demandClass].meaning],
    ['Country', COUNTRIES[country]],
    ['Confidence', confidence.toFixed(2), `How the fact was obtained: ${wayOf(confidence)}. Not a probability.`],
    ['Event', occurredAt === null ? 'no date' : <Instant key="at" at={occurredAt} />, 'When it happened'],
    ['Collected', <Instant key="at" at={observedAt} />, 'When this service first collected it'],
    ['Expires', expiresAt === null ? 'never' : <Instant key="at" at={expiresAt} />],
    ...(categories.length > 0
      ? [
          [
            'Sectors',
            categories.map((code) => `${code} ${CATEGORIES[code]}`).join('; '),
            'NAICS 2022, as reported by the source',
          ] as const,
        ]
      : []),
  ];
}
