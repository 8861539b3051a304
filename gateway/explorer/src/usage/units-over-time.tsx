import type { UsageStatement } from '@ces/client';
import { useState } from 'react';
import { actionName } from '../operations/action-names.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { Table } from '../ui/table.tsx';
import type { Units } from './statement.ts';
import { actionsOf, type Day, unitsByDay } from './units-by-day.ts';
import styles from './usage.module.css';
import { UsageByDay } from './usage-by-day.tsx';

const UNITS = [
  { value: 'request_units', label: 'Request units' },
  { value: 'delivered_units', label: 'Delivered units' },
  { value: 'fresh_evidence_units', label: 'Fresh-evidence units' },
] as const;

export function UnitsOverTime({ statement }: { readonly statement: UsageStatement }) {
  const [unit, setUnit] = useState<keyof Units>('request_units');
  const days = unitsByDay(statement.entries, unit, statement.since, statement.until);
  const actions = actionsOf(days);
  const total = days.reduce((sum, day) => sum + day.total, 0);
  const name = UNITS.find(({ value }) => value === unit)?.label ?? '';
  return (
    <figure className={styles.card} aria-labelledby="units-over-time">
      <div className={styles.plotHead}>
        <figcaption id="units-over-time">
          {name} settled by day: {total} in {days.length} {days.length === 1 ? 'day' : 'days'}
        </figcaption>
        <Field label="Units">
          <Select options={[...UNITS]} value={unit} onChange={({ target }) => setUnit(target.value as keyof Units)} />
        </Field>
      </div>
      {actions.length > 0 && <Legend actions={actions} />}
      <UsageByDay
        days={days}
        actions={actions}
        summary={`${name} settled by day, ${total} in total. The table below has the numbers.`}
      />
      <details>
        <summary>Show as a table</summary>
        <DaysTable
          name={name}
          days={days.filter(({ byAction }) => Object.keys(byAction).length > 0)}
          actions={actions}
        />
      </details>
    </figure>
  );
}

function Legend({ actions }: { readonly actions: readonly string[] }) {
  return (
    <ul className={styles.legend}>
      {actions.map((action) => (
        <li key={action}>
          <span className={styles.swatch} style={{ background: `var(--usage-${action.replaceAll('_', '-')})` }} />
          {actionName(action)}
        </li>
      ))}
    </ul>
  );
}

interface DaysTableProps {
  readonly name: string;
  readonly days: readonly Day[];
  readonly actions: readonly string[];
}

function DaysTable({ name, days, actions }: DaysTableProps) {
  return (
    <Table
      caption={`${name} by day (UTC) and action; days without settled units are omitted`}
      rows={days}
      rowKey={({ day }) => day}
      columns={[
        { name: 'Day', cell: ({ day }) => <span className={styles.day}>{day}</span> },
        ...actions.map((action) => ({
          name: actionName(action),
          numeric: true,
          cell: ({ byAction }: Day) => byAction[action] ?? 0,
        })),
        { name: 'All', numeric: true, cell: ({ total }) => total },
      ]}
    />
  );
}
