import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import styles from './field.module.css';
import { useControl } from './field.tsx';

export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectProps extends ComponentProps<'select'> {
  readonly options: readonly Option[];
}

/** A native select: it works with every phone and screen reader, and adds no inline style. */
export function Select({ options, className, ...rest }: SelectProps) {
  return (
    <select {...useControl()} {...rest} className={classes(styles.control, className)}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
