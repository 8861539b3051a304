import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { countFilters, readForm, writeForm } from '../form/form.ts';
import { toInput } from '../form/to-input.ts';
import { useMaxLimit } from '../form/use-max-limit.ts';
import { startRun } from '../runs/start-run.ts';
import { priceOf } from '../session/client.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Instant } from '../ui/instant.tsx';
import { Quoted } from '../ui/quoted.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { count, unitsInWords } from '../words/units.ts';
import styles from './saved.module.css';
import { formOfNews, MAX_NAME, type SavedSearch } from './saved-search.ts';
import { removeSaved, renameSaved } from './use-saved.ts';

export function SavedItem({ saved }: { readonly saved: SavedSearch }) {
  const [naming, setNaming] = useState(false);
  const form = readForm(saved.search);
  const filters = countFilters(form);
  return (
    <article className={styles.search} aria-label={saved.name}>
      <div className={styles.what}>
        <h2>
          <Link href={`/?${saved.search}`}>{saved.name}</Link>
        </h2>
        <p className={styles.muted}>
          <Quoted text={form.query} />
          {filters > 0 && ` with ${count(filters, 'filter')}`}
        </p>
        <p className={styles.muted}>
          {saved.lastAsOf === undefined ? (
            'Not searched yet in this browser.'
          ) : (
            <>
              Last answered as of <Instant at={saved.lastAsOf} />
            </>
          )}
        </p>
      </div>
      <News saved={saved} />
      <div className={styles.actions}>
        <Button kind="quiet" size="small" aria-expanded={naming} onClick={() => setNaming(!naming)}>
          Rename
        </Button>
        <Button kind="quiet" size="small" aria-label={`Remove ${saved.name}`} onClick={() => removeSaved(saved.search)}>
          Remove
        </Button>
      </div>
      {naming && <Rename saved={saved} close={() => setNaming(false)} />}
    </article>
  );
}

function News({ saved }: { readonly saved: SavedSearch }) {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const form = formOfNews(saved);
  const { input } = toInput(form ?? readForm(saved.search), { now: new Date(), maxLimit: useMaxLimit() });
  if (!form || !input) return <Link href={`/?${saved.search}`}>Open to search</Link>;
  const { requestUnits, deliveredUnits } = priceOf.search(input);
  return (
    <div className={styles.news}>
      <Button onClick={() => navigate(`/?${writeForm(form)}`, { state: startRun(queryClient, form, input) })}>
        What is new
      </Button>
      <p className={styles.muted}>
        <strong>At most {unitsInWords({ request: requestUnits, delivered: deliveredUnits })}.</strong> Evidence
        collected since the last answer. A company with new evidence is delivered and charged again.
      </p>
    </div>
  );
}

function Rename({ saved, close }: { readonly saved: SavedSearch; readonly close: () => void }) {
  const [name, setName] = useState(saved.name);
  function submit(event: FormEvent): void {
    event.preventDefault();
    renameSaved(saved.search, name.trim());
    close();
  }
  return (
    <form className={styles.naming} onSubmit={submit}>
      <Field label="New name">
        <TextInput autoFocus value={name} maxLength={MAX_NAME} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Button type="submit" disabled={name.trim() === ''}>
        Save the name
      </Button>
    </form>
  );
}
