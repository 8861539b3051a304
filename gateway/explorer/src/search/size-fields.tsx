import type { FilterProps } from '../form/filter-props.ts';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import styles from './filters.module.css';

export function SizeFields({ form, change, problems, maxLimit }: FilterProps & { maxLimit: number }) {
  return (
    <div className={styles.group}>
      <div className={styles.sizes}>
        <Field label="Page size" hint={`1 to ${maxLimit}`} problem={problems.limit}>
          <TextInput
            inputMode="numeric"
            placeholder="10"
            value={form.limit}
            onChange={(event) => change({ limit: event.target.value.trim() })}
          />
        </Field>
        <Field label="Target" hint="in all, 1 to 1000" problem={problems.target}>
          <TextInput
            inputMode="numeric"
            placeholder="one page"
            value={form.target}
            onChange={(event) => change({ target: event.target.value.trim() })}
          />
        </Field>
      </div>
    </div>
  );
}
