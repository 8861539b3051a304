import styles from './operations.module.css';

export function RequestKey({ text }: { readonly text: string }) {
  return (
    <code className={styles.key} title={text}>
      {text}
    </code>
  );
}
