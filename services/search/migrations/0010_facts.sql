-- Facts of a text in numbers, as codes that a condition compares: amounts, capacities, counts, rounds, stages. Null: none was
-- found, or the row was written before they were looked for.
alter table entry add column facts integer[];

-- Which version of the analysis of texts all rows were written with; a higher one of the code makes the index anew. Null: one
-- before there were versions. That of a rebuild is noted when it begins: code of the release before this one begins and ends
-- rebuilds without it, and then the index is made anew once more.
alter table feed add column analysis_version integer;
alter table feed add column rebuild_analysis_version integer;
