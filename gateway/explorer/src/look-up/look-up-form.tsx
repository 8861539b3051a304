import { type FormEvent, useDeferredValue, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextArea } from '../ui/text-area.tsx';
import styles from './look-up.module.css';
import type { LookUpKind } from './look-up-call.ts';
import { LookUpPrice } from './look-up-price.tsx';
import { type ReadInputs, readInputs } from './read-inputs.ts';
import { ReadingNotes } from './reading-notes.tsx';

interface LookUpFormProps {
  readonly isRunning: boolean;
  readonly onLookUp: (kind: LookUpKind, values: readonly string[]) => void;
}

export function LookUpForm({ isRunning, onLookUp }: LookUpFormProps) {
  const [text, setText] = useState(inputsInAddress);
  const read = useMemo(() => readInputs(text), [text]);
  const problem = useDeferredValue(read.state === 'refused' ? read.sentence : undefined);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (read.state === 'ready' && !isRunning) onLookUp(read.kind, read.values);
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        label="Domains or company ids"
        hint="Paste a list, a column or a whole table. Website addresses are read as domains. Enter either domains or ids, not both."
        problem={problem}
      >
        <TextArea
          rows={6}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={'alder-freight.example\nkestrel-foods.example'}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      {read.state === 'ready' && <ReadingNotes read={read} text={text} onText={setText} />}
      <div className={styles.submit}>
        <Button kind="primary" type="submit" busy={isRunning} disabled={read.state !== 'ready'}>
          {nameOf(read)}
        </Button>
        {read.state === 'ready' && <LookUpPrice kind={read.kind} values={read.values} />}
      </div>
    </form>
  );
}

function nameOf(read: ReadInputs): string {
  if (read.state !== 'ready') return 'Look up';
  const { kind, values } = read;
  return values.length === 1
    ? `Look up 1 ${kind === 'ids' ? 'id' : 'domain'}`
    : `Look up ${values.length} ${kind === 'ids' ? 'ids' : 'domains'}`;
}

function inputsInAddress(): string {
  const parameters = new URLSearchParams(location.search);
  return [...parameters.getAll('ids'), ...parameters.getAll('domains')].join('\n');
}
