import { useState } from 'react';
import { Page } from '../frame/page.tsx';
import { Answer } from './answer.tsx';
import { EarlierSearches } from './earlier-searches.tsx';
import { Examples } from './examples.tsx';
import { Filters } from './filters.tsx';
import { QueryBar } from './query-bar.tsx';
import styles from './search-screen.module.css';
import { toInput } from './to-input.ts';
import { useMaxLimit } from './use-max-limit.ts';
import { useSearchForm } from './use-search-form.ts';

/** Search in plain words: the form, which stands in the address, and the answer of the run that was pressed. */
export default function SearchScreen() {
  const { form, change, run, press } = useSearchForm();
  const [tried, setTried] = useState(false);
  const maxLimit = useMaxLimit();
  const { input, problems } = toInput(form, { now: new Date(), maxLimit });
  const shown = tried ? problems : undefined;
  function submit(): void {
    setTried(input === undefined);
    if (input) press(input);
  }
  return (
    <Page title="Search" lead={run ? undefined : 'Say in plain words what the companies you look for are doing.'}>
      <div className={styles.screen}>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <QueryBar form={form} change={change} problem={shown?.query} invalid={problems !== undefined} />
          <Filters form={form} change={change} problems={shown ?? {}} maxLimit={maxLimit} />
        </form>
        <div className={styles.answer}>
          {run ? (
            <Answer key={run.id} run={run} searchAnew={submit} />
          ) : (
            <>
              <Examples choose={(query) => change({ query })} />
              <EarlierSearches />
            </>
          )}
        </div>
      </div>
    </Page>
  );
}
