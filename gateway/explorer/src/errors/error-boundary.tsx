import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';

/** The tab stores the key of a paid answer. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Callout tone="bad" role="alert" title="This screen failed.">
        <p>This is an error in the explorer. Load the page again: no paid answer is lost or charged twice.</p>
        <Button onClick={() => location.reload()}>Load again</Button>
      </Callout>
    );
  }
}
