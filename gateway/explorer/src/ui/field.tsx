import { createContext, type ReactNode, useContext, useId } from 'react';
import styles from './field.module.css';

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly children: ReactNode;
}

interface Control {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

const ControlContext = createContext<Control | undefined>(undefined);

/** Labels a control. The control inside gets its id and ARIA attributes from `useControl`. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const control: Control = {
    id,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': problem ? true : undefined,
  };
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <ControlContext value={control}>{children}</ControlContext>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}

export function useControl(): Partial<Control> {
  return useContext(ControlContext) ?? {};
}
