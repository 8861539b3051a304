/**
 * Hashes what a source reports: kind, wording, country, event date and categories. A SQL
 * expression; `row` has the columns of an observation.
 */
export function factHash(row: string, occurredAt = `${row}.occurred_at`): string {
  return `sha256(convert_to(jsonb_build_array(${row}.kind, ${row}.observed_fact, ${row}.why_it_may_matter, ${row}.country,
         extract(epoch from ${occurredAt}), ${row}.categories)::text, 'UTF8'))`;
}

/** Hashes a passage and its address. A SQL expression; `row` has the columns of an evidence row. */
export function passageHash(row: string): string {
  return `sha256(convert_to(jsonb_build_array(${row}.source_uri, ${row}.excerpt)::text, 'UTF8'))`;
}
