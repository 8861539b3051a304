-- Read beside writes, as in 0024.
alter table company_merge validate constraint company_merge_rule_known;
