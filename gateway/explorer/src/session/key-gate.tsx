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
      lead="Ask in plain words: who is opening a plant, asking for bids, raising money or hiring? Answers are companies in Canada and the United States, with what was published about them."
    >
      <div className={styles.gate}>
        <KeyEntry />
        <ul className={styles.points}>
          <li>
            <strong>Evidence, not scores.</strong> Quotes that link to where they were published, each with the day of
            the event and the day it was collected.
          </li>
          <li>
            <strong>The price first.</strong> What a search can cost stands beside the button; what it did cost, beside
            the answer.
          </li>
          <li>
            <strong>Paid once.</strong> To see an answer again, to reload, to go back: free, by the key of the request.
          </li>
          <li>
            <strong>Yours to take along.</strong> Everything is also a <code>curl</code>, TypeScript or MCP call to
            copy, and a file to save.
          </li>
        </ul>
      </div>
    </Page>
  );
}
