/** SQL over kind, wording, country, event date and categories. */
export function factHash(row: string, occurredAt = `${row}.occurred_at`): string {
  return `sha256(convert_to(jsonb_build_array(${row}.kind, ${row}.observed_fact, ${row}.why_it_may_matter, ${row}.country,
         extract(epoch from ${occurredAt}), ${row}.categories)::text, 'UTF8'))`;
}

/** SQL over a passage and its address. */
export function passageHash(row: string): string {
  return `sha256(convert_to(jsonb_build_array(${row}.source_uri, ${row}.excerpt)::text, 'UTF8'))`;
}
