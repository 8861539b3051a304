import type { CompanyResult } from './generated/openapi.ts';
import type { CompanySearchInput, SearchOptions } from './inputs.ts';
import type { DoneOptions, Operation } from './operation.ts';
import { checkFirstKey, createRequestKey, pageKey } from './request-key.ts';

export interface SearchPage {
  readonly page: CompanyResult;
  readonly operation: Operation<CompanyResult>;
}

/** Each page is charged when it is fetched. */
export async function* pagesOf(
  search: (input: CompanySearchInput, options: SearchOptions) => Operation<CompanyResult>,
  input: CompanySearchInput,
  { requestKey: firstKey = createRequestKey(), onProgress, ...options }: SearchOptions & DoneOptions = {},
): AsyncGenerator<SearchPage, void, undefined> {
  checkFirstKey(firstKey);
  let cursor: string | null | undefined = input.cursor;
  for (let number = 1; cursor !== null; number += 1) {
    const requestKey = pageKey(firstKey, number);
    const operation = search({ ...input, ...(cursor !== undefined && { cursor }) }, { ...options, requestKey });
    const page = await operation.done({ ...(onProgress && { onProgress }) });
    yield { page, operation };
    cursor = page.next_cursor;
  }
}

export async function* itemsOf<Page extends { readonly next_cursor: string | null }, Item>(
  fetchPage: (cursor: string | undefined) => Promise<Page>,
  itemsOfPage: (page: Page) => readonly Item[],
  from?: string,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null | undefined = from; cursor !== null; ) {
    const page: Page = await fetchPage(cursor);
    yield* itemsOfPage(page);
    cursor = page.next_cursor;
  }
}
