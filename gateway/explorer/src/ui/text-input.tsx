import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import styles from './field.module.css';
import { useControl } from './field.tsx';

interface TextInputProps extends ComponentProps<'input'> {
  readonly mono?: boolean;
}

export function TextInput({ mono = false, className, ...rest }: TextInputProps) {
  return (
    <input
      {...useControl()}
      type="text"
      {...rest}
      className={classes(styles.control, mono && styles.mono, className)}
    />
  );
}
