import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './popover.module.css';

export function Explanation({ of, children }: { of: string; children: ReactNode }) {
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.trigger} aria-label={`What does “${of}” mean?`} />
      <Popover.Portal>
        <Popover.Content className={styles.content} sideOffset={6} collisionPadding={12} aria-label={`About “${of}”`}>
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
