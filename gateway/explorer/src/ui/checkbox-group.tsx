import type { ReactNode } from 'react';
import styles from './field.module.css';
import type { Option } from './select.tsx';

interface CheckboxGroupProps<Value extends string> {
  readonly legend: ReactNode;
  readonly hint?: string;
  readonly options: readonly Option<Value>[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
}

export function CheckboxGroup<Value extends string>(props: CheckboxGroupProps<Value>) {
  const { legend, hint, options, chosen, onChange } = props;
  function toggle(value: Value, checked: boolean): void {
    const others = chosen.filter((one) => one !== value);
    onChange(checked ? [...others, value] : others);
  }
  return (
    <fieldset className={styles.field}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.choices}>
        {options.map(({ value, label }) => (
          <label key={value} className={styles.choice}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) => toggle(value, event.target.checked)}
            />
            {label}
          </label>
        ))}
      </div>
      {hint && <p className={styles.hint}>{hint}</p>}
    </fieldset>
  );
}
