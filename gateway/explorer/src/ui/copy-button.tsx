import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

type State = 'idle' | 'copied' | 'refused';

interface CopyButtonProps {
  readonly text: string;
  readonly of: string;
  readonly name?: string;
}

export function CopyButton({ text, of, name = 'Copy' }: CopyButtonProps) {
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
  const names: Readonly<Record<State, string>> = {
    idle: name,
    copied: 'Copied',
    refused: 'Select the text and copy it',
  };
  return (
    <Button size="small" onClick={copy} aria-label={`${names[state]}: ${of}`}>
      {names[state]}
    </Button>
  );
}
