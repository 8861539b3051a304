import { useId, useState } from 'react';
import { CompanyDetails } from '../company/company-details.tsx';
import { CompanyLink } from '../company/company-link.tsx';
import { DemandClassBadge } from '../company/demand-class-badge.tsx';
import { Domains } from '../company/domains.tsx';
import { MarkedText } from '../company/marked-text.tsx';
import { markWords } from '../company/matched-words.ts';
import { placeInWords } from '../company/place-of.ts';
import type { Reasons } from '../match/conditions.ts';
import { ReasonsLine, ReasonsList } from '../match/reasons.tsx';
import { classes } from '../ui/classes.ts';
import { dayOf } from '../words/dates.ts';
import { KINDS } from '../words/kinds.ts';
import type { ResultRow as Row } from './arrange.ts';
import styles from './result-row.module.css';

interface ResultRowProps {
  readonly row: Row;
  readonly reasons: Reasons;
  readonly usageId: number;
  readonly filters: readonly string[];
  readonly said: readonly string[];
}

export function ResultRow({ row, reasons, usageId, filters, said }: ResultRowProps) {
  const { company, rank, best, place, asOf } = row;
  const [open, setOpen] = useState(false);
  const details = useId();
  const marked = (text: string) => <MarkedText spans={markWords(text, company.match.query)} />;
  const heading = `company-${company.id}`;
  return (
    <article className={classes(styles.row, styles[best.demand_class])} aria-labelledby={heading}>
      <div className={styles.head}>
        <span className={styles.rank} aria-hidden="true">
          {rank}
        </span>
        <h3 id={heading} className={styles.name}>
          <CompanyLink id={company.id} name={marked(company.name)} usageId={usageId} />
        </h3>
        <p className={styles.place}>{placeInWords(place)}</p>
        <p className={styles.when}>
          <Day at={best.occurred_at} />
        </p>
        <p className={styles.fact}>{marked(afterName(best.observed_fact, company.name))}</p>
        <div className={styles.last}>
          <p className={styles.kind}>{KINDS[best.kind]}</p>
          <div className={styles.why}>
            <ReasonsLine reasons={reasons} />
          </div>
        </div>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-controls={details}
          aria-label={`Details of ${company.name}`}
          onClick={() => setOpen(!open)}
        />
      </div>
      <div id={details} className={styles.details} hidden={!open}>
        {open && (
          <>
            <div className={styles.about}>
              <Domains domains={company.domains} />
              <DemandClassBadge demandClass={company.demand_class} explained />
            </div>
            <ReasonsList reasons={reasons} filters={filters} />
            <CompanyDetails company={company} query={company.match.query} asOf={asOf} said={said} />
          </>
        )}
      </div>
    </article>
  );
}

/** The row already shows the name. */
function afterName(fact: string, name: string): string {
  return fact.startsWith(`${name} `) ? fact.slice(name.length + 1) : fact;
}

function Day({ at }: { readonly at: string | null }) {
  if (at === null) return 'Undated';
  const [, day, year] = /^(.*?)(,? \d{4})$/.exec(dayOf(at)) ?? [];
  return (
    <time dateTime={at} title={dayOf(at)}>
      {day}
      <span className={styles.year}>{year}</span>
    </time>
  );
}
