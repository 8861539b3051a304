import { isQuoted } from '@ces/proto/quotation';
import styles from './quoted.module.css';

/** An inline quotation without a second pair of quotation marks. */
export function Quoted({ text }: { readonly text: string }) {
  return <q className={isQuoted(text) ? styles.bare : undefined}>{text}</q>;
}
