import { useState } from 'react';
import type { FilterProps } from '../form/filter-props.ts';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import styles from './filters.module.css';

const FIELDS = [
  { name: 'domains', label: 'Only these domains', placeholder: 'example.com, example.ca' },
  { name: 'excludedDomains', label: 'Without these domains', placeholder: 'example.org' },
  { name: 'companyIds', label: 'Only these company ids', placeholder: '12, 34' },
  { name: 'excludedCompanyIds', label: 'Without these company ids', placeholder: '56' },
] as const;

export function CompanyFilters({ form, change, problems }: FilterProps) {
  const named = FIELDS.some(({ name }) => form[name] !== '');
  const [open, setOpen] = useState(named);
  return (
    <div className={styles.group}>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Specific companies</summary>
        <div className={styles.group}>
          {FIELDS.map(({ name, label, placeholder }) => (
            <Field key={name} label={label} problem={problems[name]}>
              <TextInput
                value={form[name]}
                placeholder={placeholder}
                spellCheck={false}
                autoCapitalize="off"
                onChange={(event) => change({ [name]: event.target.value })}
              />
            </Field>
          ))}
        </div>
      </details>
    </div>
  );
}
