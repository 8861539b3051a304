import styles from './operations.module.css';

/** Truncated to one line; the title has the whole key. */
export function RequestKey({ text }: { readonly text: string }) {
  return (
    <code className={styles.key} title={text}>
      {text}
    </code>
  );
}
