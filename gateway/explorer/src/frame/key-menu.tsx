import { Popover } from 'radix-ui';
import type { AccountKind } from '../session/api-key.ts';
import { useSessionContext } from '../session/session.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import popover from '../ui/popover.module.css';

const ACCOUNTS: Readonly<Record<AccountKind, string>> = {
  test: 'A test key of a sandbox account with the limits of the builder plan. Nothing is billed.',
  live: 'A live key. Your requests are charged to your subscription.',
  unknown: 'A key without a known prefix.',
};

export function KeyMenu({ kind }: { kind: AccountKind }) {
  const { forget } = useSessionContext();
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button size="small">
          Key <Badge tone={kind === 'test' ? 'warn' : 'good'}>{kind}</Badge>
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={popover.content}
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label="API key of this tab"
        >
          <p>{ACCOUNTS[kind]}</p>
          <p>
            The key and its answers are stored only in this tab and in tabs opened from its links. To forget it is to
            forget it in all of them. Saved searches stay in this browser.
          </p>
          <Button onClick={forget}>Forget the key</Button>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
