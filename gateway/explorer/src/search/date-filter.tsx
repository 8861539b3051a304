import { isInstant } from '../form/form.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { minuteOf } from '../words/dates.ts';
import styles from './filters.module.css';

interface DateFilterProps {
  readonly label: string;
  readonly absent: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: string | undefined;
}

const A_DAY = 'day';
const PRESETS = [
  { value: '7d', label: 'In the last 7 days' },
  { value: '30d', label: 'In the last 30 days' },
  { value: '90d', label: 'In the last 90 days' },
  { value: '365d', label: 'In the last year' },
  { value: '1825d', label: 'In the last 5 years' },
  { value: A_DAY, label: 'Since a day …' },
];

export function DateFilter({ label, absent, hint, value, onChange, problem }: DateFilterProps) {
  const isPreset = value === '' || /^\d+d$/.test(value) || isInstant(value);
  const options = [
    { value: '', label: absent },
    ...PRESETS.filter((preset) => preset.label !== absent),
    ...(isInstant(value) ? [{ value, label: `Since ${minuteOf(value)}` }] : []),
  ];
  return (
    <div className={styles.date}>
      <Field label={label} hint={hint}>
        <Select options={options} value={isPreset ? value : A_DAY} onChange={(event) => onChange(event.target.value)} />
      </Field>
      {!isPreset && (
        <Field label={`${label} since`} problem={problem}>
          <TextInput
            type="date"
            value={value === A_DAY ? '' : value}
            onChange={(event) => onChange(event.target.value || A_DAY)}
          />
        </Field>
      )}
    </div>
  );
}
