import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { ACTIONS, actionName } from './action-names.ts';
import styles from './operations.module.css';
import { PERIODS, type Period } from './periods.ts';
import { STATUSES, statusName } from './status-badge.tsx';
import type { Asked } from './use-operations.ts';

interface OperationsFiltersProps {
  readonly asked: Asked;
  readonly words: string;
  readonly onAsked: (asked: Asked) => void;
  readonly onWords: (words: string) => void;
}

const PERIOD_OPTIONS = Object.entries(PERIODS).map(([value, { title }]) => ({ value, label: title }));
const ACTION_OPTIONS = [
  { value: '', label: 'Every action' },
  ...ACTIONS.map((value) => ({ value, label: actionName(value) })),
];
const STATUS_OPTIONS = [
  { value: '', label: 'Every state' },
  ...STATUSES.map((value) => ({ value, label: statusName(value) })),
];

export function OperationsFilters({ asked, words, onAsked, onWords }: OperationsFiltersProps) {
  return (
    <search className={styles.filters}>
      <Field label="Accepted">
        <Select
          options={PERIOD_OPTIONS}
          value={asked.period}
          onChange={({ target }) => onAsked({ ...asked, period: target.value as Period })}
        />
      </Field>
      <Field label="Action">
        <Select
          options={ACTION_OPTIONS}
          value={asked.action}
          onChange={({ target }) => onAsked({ ...asked, action: target.value as Asked['action'] })}
        />
      </Field>
      <Field label="State">
        <Select
          options={STATUS_OPTIONS}
          value={asked.status}
          onChange={({ target }) => onAsked({ ...asked, status: target.value as Asked['status'] })}
        />
      </Field>
      <Field label="Search the loaded operations" hint="Request key, words of the query, or id">
        <TextInput type="search" value={words} onChange={({ target }) => onWords(target.value)} />
      </Field>
    </search>
  );
}
