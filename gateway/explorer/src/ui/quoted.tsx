import { isQuoted } from '@ces/proto/quotation';
import styles from './quoted.module.css';

export function Quoted({ text }: { readonly text: string }) {
  return <q className={isQuoted(text) ? styles.bare : undefined}>{text}</q>;
}
