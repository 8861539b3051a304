import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

type State = 'idle' | 'copied' | 'refused';

const NAMES: Readonly<Record<State, string>> = {
  idle: 'Copy',
  copied: 'Copied',
  refused: 'Select the text and copy it',
};

export function CopyButton({ text, of }: { text: string; of: string }) {
  const [state, setState] = useState<State>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  function copy(): void {
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('Copying is not allowed.'));
    written.then(
      () => setState('copied'),
      () => setState('refused'),
    );
  }
  return (
    <Button size="small" onClick={copy} aria-label={`${NAMES[state]}: ${of}`}>
      {NAMES[state]}
    </Button>
  );
}
