import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { type ChosenDays, STATEMENT_INTERVALS, type StatementInterval } from './statement-intervals.ts';
import styles from './usage.module.css';

interface StatementControlsProps {
  readonly interval: StatementInterval;
  readonly days: ChosenDays;
  readonly isFetching: boolean;
  readonly onInterval: (interval: StatementInterval) => void;
  readonly onDays: (days: ChosenDays) => void;
  readonly onRefresh: () => void;
}

const OPTIONS = Object.entries(STATEMENT_INTERVALS).map(([value, label]) => ({ value, label }));

export function StatementControls(props: StatementControlsProps) {
  const { interval, days, isFetching, onInterval, onDays, onRefresh } = props;
  return (
    <div className={styles.controls}>
      <Field label="Interval">
        <Select
          options={OPTIONS}
          value={interval}
          onChange={({ target }) => onInterval(target.value as StatementInterval)}
        />
      </Field>
      {interval === 'custom' && (
        <>
          <Field label="First day (UTC)">
            <TextInput
              type="date"
              value={days.from}
              onChange={({ target }) => onDays({ ...days, from: target.value })}
            />
          </Field>
          <Field
            label="Last day (UTC)"
            problem={days.to !== '' && days.from > days.to ? 'The last day is before the first.' : undefined}
          >
            <TextInput type="date" value={days.to} onChange={({ target }) => onDays({ ...days, to: target.value })} />
          </Field>
        </>
      )}
      <Button onClick={onRefresh} busy={isFetching}>
        Read again
      </Button>
    </div>
  );
}
