import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classes } from './classes.ts';
import { Spinner } from './spinner.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: 'primary' | 'plain' | 'quiet';
  readonly size?: 'normal' | 'small';
  readonly busy?: boolean;
}

export function Button({ kind = 'plain', size = 'normal', busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(styles.button, styles[kind], styles[size], className)}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
