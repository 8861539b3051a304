import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import styles from './saved.module.css';
import { isSameSearch, MAX_NAME } from './saved-search.ts';
import { addSaved, useSaved } from './use-saved.ts';

interface SaveSearchProps {
  readonly search: string;
  readonly query: string;
  readonly asOf: string;
}

export function SaveSearch({ search, query, asOf }: SaveSearchProps) {
  const [name, setName] = useState<string>();
  const saved = useSaved().find((one) => isSameSearch(one.search, search));
  if (saved)
    return (
      <span className={styles.muted}>
        Saved as <Link href="/saved">{saved.name}</Link>
      </span>
    );
  if (name === undefined)
    return (
      <Button kind="quiet" size="small" className={styles.flush} onClick={() => setName(query.slice(0, MAX_NAME))}>
        Save this search
      </Button>
    );
  function submit(event: FormEvent): void {
    event.preventDefault();
    addSaved([{ name: name?.trim() ?? '', search, savedAt: new Date().toISOString(), lastAsOf: asOf }]);
  }
  return (
    <form className={styles.naming} onSubmit={submit}>
      <Field label="Name of the search">
        <TextInput
          autoFocus
          value={name}
          maxLength={MAX_NAME}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setName(undefined);
          }}
        />
      </Field>
      <Button type="submit" disabled={name.trim() === ''}>
        Save in this browser
      </Button>
    </form>
  );
}
