import type { Usage } from '@ces/client';
import { CallsPanel } from '../calls/calls-panel.tsx';
import { companyPath } from '../company/company-link.tsx';
import { DemandClassBadge } from '../company/demand-class-badge.tsx';
import { Domains } from '../company/domains.tsx';
import { ObservationItem } from '../company/observation-item.tsx';
import { LIMITATIONS, sentenceOf } from '../coverage/sentences.ts';
import { ExportButtons } from '../export/export-buttons.tsx';
import { Timeline } from '../plots/timeline.tsx';
import type { Company, CompanyMatch, SupportingObservation } from '../session/client.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Instant } from '../ui/instant.tsx';
import { dayOf } from '../words/dates.ts';
import { CompanySources } from './company-sources.tsx';
import styles from './company-view.module.css';

interface CompanyViewProps {
  readonly company: Company | CompanyMatch;
  readonly asOf: string;
  readonly usage: Usage;
}

export function CompanyView({ company, asOf, usage }: CompanyViewProps) {
  const link = `${location.origin}/explore${companyPath(company.id, usage.id)}`;
  const query = 'match' in company ? company.match.query : '';
  const page = { usageId: usage.id, requestKey: usage.request_key, asOf, companies: [company] };
  return (
    <>
      <div className={styles.bar}>
        <Domains domains={company.domains} />
        {'demand_class' in company && <DemandClassBadge demandClass={company.demand_class} explained />}
        <span className={styles.muted}>
          company {company.id}, as of <Instant at={asOf} />
        </span>
      </div>
      <div className={styles.bar}>
        <CopyButton name="Copy link" text={link} of="this company" />
        <ExportButtons pages={[page]} />
        <span className={styles.muted}>The link is free for your account; others see the price first.</span>
      </div>
      <section className={styles.section} aria-labelledby="observations">
        <h2 id="observations">
          {company.observations.length === 1 ? '1 observation' : `${company.observations.length} observations`}
        </h2>
        <Timeline name={company.name} observations={company.observations} asOf={asOf} />
        <ol className={styles.timeline}>
          {byTime(company.observations).map((observation) => (
            <li key={observation.id} className={styles[observation.demand_class]}>
              <p className={styles.day}>
                {observation.occurred_at === null ? 'Undated' : dayOf(observation.occurred_at)}
              </p>
              <ObservationItem observation={observation} query={query} />
            </li>
          ))}
        </ol>
      </section>
      <CompanySources observations={company.observations} />
      <ul className={styles.limits} aria-label="Limits">
        {company.limitations.map((code) => (
          <li key={code}>{sentenceOf(LIMITATIONS, code)}</li>
        ))}
      </ul>
      <CallsPanel call={{ action: 'operation', usageId: usage.id }} />
    </>
  );
}

/** Newest event first; profiles, which have no date, last. */
function byTime(observations: readonly SupportingObservation[]): readonly SupportingObservation[] {
  return observations.toSorted((a, b) => (b.occurred_at ?? '').localeCompare(a.occurred_at ?? ''));
}
