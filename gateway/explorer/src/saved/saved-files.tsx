import { type ChangeEvent, useState } from 'react';
import { download } from '../export/download.ts';
import { Button } from '../ui/button.tsx';
import { count } from '../words/units.ts';
import styles from './saved.module.css';
import { isSameSearch, readFile, type SavedSearch, writeFile } from './saved-search.ts';
import { addSaved } from './use-saved.ts';

export function SavedFiles({ saved }: { readonly saved: readonly SavedSearch[] }) {
  const [outcome, setOutcome] = useState('');
  async function add({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? [];
    if (!file) return;
    setOutcome(addFrom(await file.text(), saved));
    target.value = '';
  }
  return (
    <div className={styles.files}>
      <Button
        size="small"
        disabled={saved.length === 0}
        onClick={() => download('saved-searches.json', 'application/json', writeFile(saved))}
      >
        Save all as a file
      </Button>
      <label className={styles.file}>
        Add from a file
        <input type="file" accept=".json,application/json" onChange={(event) => void add(event)} />
      </label>
      <p role="status" className={styles.muted}>
        {outcome}
      </p>
    </div>
  );
}

function addFrom(text: string, saved: readonly SavedSearch[]): string {
  const read = readFile(text);
  if (!read) return 'This is not a file of saved searches. Nothing was added.';
  const added = read.searches.filter((one) => !saved.some((known) => isSameSearch(known.search, one.search)));
  addSaved(added);
  const parts = [
    `${count(added.length, 'search', 'searches')} added`,
    read.searches.length > added.length && `${read.searches.length - added.length} already here`,
    read.unreadable > 0 && `${read.unreadable} not readable and skipped`,
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}
