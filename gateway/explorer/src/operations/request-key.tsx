import styles from './operations.module.css';

/** An idempotency key on one line; of a long one the beginning, all of it in the title and where its operation stands alone. */
export function RequestKey({ text }: { readonly text: string }) {
  return (
    <code className={styles.key} title={text}>
      {text}
    </code>
  );
}
