import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab {
  readonly id: string;
  readonly name: string;
  readonly content: ReactNode;
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly [Tab, ...Tab[]] }) {
  return (
    <Primitive.Root defaultValue={tabs[0].id} className={styles.tabs}>
      <Primitive.List className={styles.list} aria-label={label}>
        {tabs.map(({ id, name }) => (
          <Primitive.Trigger key={id} value={id} className={styles.tab}>
            {name}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map(({ id, content }) => (
        <Primitive.Content key={id} value={id} className={styles.content}>
          {content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
