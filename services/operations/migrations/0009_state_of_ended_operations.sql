-- What ended otherwise than delivered: rows that no call writes, however many they are.
update operation set state = point where state <> point;
