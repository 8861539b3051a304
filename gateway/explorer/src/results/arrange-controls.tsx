import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { COUNTRIES, type Country } from '../words/countries.ts';
import { KINDS, type Kind } from '../words/kinds.ts';
import { count } from '../words/units.ts';
import {
  type Arrangement,
  AS_DELIVERED,
  type Choice,
  choicesOf,
  type Delivered,
  isNarrowed,
  SORTS,
  type Sort,
} from './arrange.ts';
import styles from './result-list.module.css';

interface ArrangeControlsProps {
  readonly delivered: readonly Delivered[];
  readonly shown: number;
  readonly arrangement: Arrangement;
  readonly onArrange: (arrangement: Arrangement) => void;
}

const SORT_OPTIONS = (Object.keys(SORTS) as Sort[]).map((value) => ({ value, label: SORTS[value] }));
const WITHIN_OPTIONS = [
  { value: '', label: 'Any time' },
  { value: '7', label: 'In the last 7 days' },
  { value: '30', label: 'In the last 30 days' },
  { value: '90', label: 'In the last 90 days' },
  { value: '365', label: 'In the last year' },
];

export function ArrangeControls({ delivered, shown, arrangement, onArrange }: ArrangeControlsProps) {
  const [open, setOpen] = useState(() => matchMedia('(min-width: 64rem)').matches);
  const { kinds, countries, regions } = choicesOf(delivered);
  const set = (part: Partial<Arrangement>) => onArrange({ ...arrangement, ...part });
  return (
    <details className={styles.controls} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>Sort and narrow for free</strong>
        <span role="status">{statusOf(delivered.length, shown, arrangement)}</span>
      </summary>
      <div className={styles.fields}>
        <Field label="Order">
          <Select
            options={SORT_OPTIONS}
            value={arrangement.sort}
            onChange={({ target }) =>
              set({ sort: SORT_OPTIONS.find(({ value }) => value === target.value)?.value ?? 'match' })
            }
          />
        </Field>
        <Narrow
          label="Kind"
          all="Every kind"
          choices={kinds}
          value={arrangement.kind}
          onChange={(kind) => set({ kind: isKind(kind) ? kind : '' })}
        />
        <Narrow
          label="Country"
          all="Both countries"
          choices={countries}
          value={arrangement.country}
          onChange={(country) => set({ country: isCountry(country) ? country : '' })}
        />
        <Narrow
          label="State or province"
          all="Anywhere"
          choices={regions}
          value={arrangement.region}
          onChange={(region) => set({ region })}
        />
        <Field label="Event date">
          <Select
            options={WITHIN_OPTIONS}
            value={arrangement.within}
            onChange={({ target }) => set({ within: target.value })}
          />
        </Field>
        {isNarrowed(arrangement) && (
          <Button size="small" onClick={() => onArrange({ ...AS_DELIVERED, sort: arrangement.sort })}>
            Show all {delivered.length}
          </Button>
        )}
      </div>
    </details>
  );
}

interface NarrowProps {
  readonly label: string;
  readonly all: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Narrow({ label, all, choices, value, onChange }: NarrowProps) {
  const options = [
    { value: '', label: all },
    ...choices.map(([choice, name, companies]) => ({ value: choice, label: `${name} (${companies})` })),
  ];
  return (
    <Field label={label}>
      <Select options={options} value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}

function statusOf(delivered: number, shown: number, arrangement: Arrangement): string {
  const sorted = SORTS[arrangement.sort].toLowerCase();
  if (!isNarrowed(arrangement)) return sorted;
  return `${shown} of ${count(delivered, 'delivered company', 'delivered companies')}, ${sorted}`;
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(KINDS, text);
}

function isCountry(text: string): text is Country {
  return Object.hasOwn(COUNTRIES, text);
}
