import { useState } from 'react';
import type { FilterProps } from '../form/filter-props.ts';
import { countFilters } from '../form/form.ts';
import { Badge } from '../ui/badge.tsx';
import { CheckboxGroup } from '../ui/checkbox-group.tsx';
import { Explanation } from '../ui/explanation.tsx';
import { COUNTRIES, type Country } from '../words/countries.ts';
import { DEMAND_CLASS_ORDER, DEMAND_CLASSES } from '../words/demand-classes.ts';
import { KINDS, SEARCHABLE_KINDS } from '../words/kinds.ts';
import { CompanyFilters } from './company-filters.tsx';
import { DateFilter } from './date-filter.tsx';
import styles from './filters.module.css';
import { SizeFields } from './size-fields.tsx';

const KIND_OPTIONS = SEARCHABLE_KINDS.map((value) => ({ value, label: KINDS[value] }));
const COUNTRY_OPTIONS = (Object.keys(COUNTRIES) as Country[]).map((value) => ({ value, label: COUNTRIES[value] }));
const CLASS_OPTIONS = DEMAND_CLASS_ORDER.map((value) => ({ value, label: DEMAND_CLASSES[value].name }));

export function Filters({ form, change, problems, maxLimit }: FilterProps & { maxLimit: number }) {
  const [open, setOpen] = useState(() => matchMedia('(min-width: 64rem)').matches);
  const active = countFilters(form);
  const mustShow = Object.keys(problems).some((field) => field !== 'query');
  return (
    <details className={styles.filters} open={open || mustShow} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>
        Filters and size {active > 0 && <Badge tone="accent">{active} set</Badge>}
      </summary>
      <div className={styles.fields}>
        <CheckboxGroup
          legend="Kinds"
          hint="Default: all but company profiles."
          options={KIND_OPTIONS}
          chosen={form.kinds}
          onChange={(kinds) => change({ kinds })}
        />
        <CheckboxGroup
          legend="Countries"
          options={COUNTRY_OPTIONS}
          chosen={form.countries}
          onChange={(countries) => change({ countries })}
        />
        <CheckboxGroup
          legend={
            <span className={styles.explained}>
              Demand classes
              <Explanation of="Demand classes">
                {DEMAND_CLASS_ORDER.map((one) => (
                  <p key={one}>
                    <strong>{DEMAND_CLASSES[one].name}:</strong> {DEMAND_CLASSES[one].meaning}
                  </p>
                ))}
              </Explanation>
            </span>
          }
          options={CLASS_OPTIONS}
          chosen={form.demandClasses}
          onChange={(demandClasses) => change({ demandClasses })}
        />
        <DateFilter
          label="Happened"
          absent="In the last 30 days"
          hint="This default does not apply to company profiles."
          value={form.occurredAfter}
          onChange={(occurredAfter) => change({ occurredAfter })}
          problem={problems.occurredAfter}
        />
        <DateFilter
          label="Collected"
          absent="At any time"
          value={form.observedAfter}
          onChange={(observedAfter) => change({ observedAfter })}
          problem={problems.observedAfter}
        />
        <CompanyFilters form={form} change={change} problems={problems} />
        <SizeFields form={form} change={change} problems={problems} maxLimit={maxLimit} />
      </div>
    </details>
  );
}
