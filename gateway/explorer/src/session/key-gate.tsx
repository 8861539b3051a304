import type { ReactNode } from 'react';
import { Page } from '../frame/page.tsx';
import { KeyEntry } from './key-entry.tsx';
import styles from './key-gate.module.css';
import { useSessionContext } from './session.tsx';

export function KeyGate({ children }: { children: ReactNode }) {
  const { session } = useSessionContext();
  if (session) return children;
  return (
    <Page
      title="Find companies by what they are doing"
      lead="Ask in plain words: who is opening a plant, asking for bids, raising money or hiring? Answers are companies in Canada and the United States, with published evidence."
    >
      <div className={styles.gate}>
        <KeyEntry />
        <ul className={styles.points}>
          <li>
            <strong>Evidence, not scores.</strong> Quotes with links to their sources, the day of the event and the day
            of collection.
          </li>
          <li>
            <strong>The price first.</strong> The highest price is next to the button, the actual cost next to the
            answer.
          </li>
          <li>
            <strong>Paid once.</strong> Opening an answer again, reloading and going back are free.
          </li>
          <li>
            <strong>Export.</strong> Copy each request as a <code>curl</code>, TypeScript or MCP call, and save results
            as files.
          </li>
        </ul>
      </div>
    </Page>
  );
}
