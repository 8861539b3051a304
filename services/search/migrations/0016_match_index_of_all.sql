-- The index of words knows the kind of each row, and its kind with its country: a search within few of them reads no row that
-- it leaves out (decision 0146). Each partition has built its index beside reads and writes by now; a new one has it from here.
-- By the name before, which the functions of pending lists and code of the release before go by; that code asks for words alone.
create index entry_match on entry using gin (text, (array[kind::integer, kind * 1000 + country]));
drop index entry_text;
alter index entry_match rename to entry_text;
