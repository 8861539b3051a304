import { CopyButton } from '../ui/copy-button.tsx';
import { type Tab, Tabs } from '../ui/tabs.tsx';
import type { Call } from './call.ts';
import styles from './calls-panel.module.css';
import { asCurl } from './curl.ts';
import { asMcp } from './mcp.ts';
import { asTypeScript } from './typescript.ts';

/** The same key repeats the answer free of charge. The text never contains the API key. */
export function CallsPanel({ call }: { call: Call }) {
  const mcp = asMcp(call);
  const tabs: [Tab, ...Tab[]] = [
    { id: 'curl', name: 'curl', content: <Text text={asCurl(call, location.origin)} of="curl command" /> },
    {
      id: 'typescript',
      name: 'TypeScript',
      content: <Text text={asTypeScript(call, location.origin)} of="TypeScript" />,
    },
    ...(mcp === undefined ? [] : [{ id: 'mcp', name: 'MCP', content: <Text text={mcp} of="MCP call" /> }]),
  ];
  return (
    <details className={styles.panel}>
      <summary>Show as an API call</summary>
      <div className={styles.body}>
        <Tabs label="API call" tabs={tabs} />
      </div>
    </details>
  );
}

function Text({ text, of }: { text: string; of: string }) {
  return (
    <div className={styles.text}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} of={of} />
    </div>
  );
}
