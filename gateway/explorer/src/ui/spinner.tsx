import styles from './spinner.module.css';

/** Hidden from screen readers, so words next to it must describe the state. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
