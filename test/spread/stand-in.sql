-- Two functions of Citus, as far as they refuse: what they look at in the catalog before they spread a table, by its documentation
-- and its source. They spread nothing; they only remember.
CREATE TABLE placed (name regclass PRIMARY KEY, by_column text);

CREATE FUNCTION refuse_unfit(one regclass, by_column text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  fault text;
BEGIN
  SELECT 'has a trigger, ' || tgname INTO fault FROM pg_trigger WHERE tgrelid = one AND NOT tgisinternal LIMIT 1;
  IF fault IS NULL AND refuse_unfit.by_column IS NOT NULL THEN
    SELECT 'may lack the column that it is spread by' INTO fault FROM pg_attribute
    WHERE attrelid = one AND attname = refuse_unfit.by_column AND (NOT attnotnull OR attgenerated <> '');
  END IF;
  IF fault IS NULL AND refuse_unfit.by_column IS NOT NULL THEN
    SELECT 'is unique without the column, ' || indexrelid::regclass INTO fault FROM pg_index
    WHERE indrelid = one AND indisunique
      AND NOT (SELECT attnum FROM pg_attribute WHERE attrelid = one AND attname = refuse_unfit.by_column) = any (indkey::int2[]) LIMIT 1;
  END IF;
  IF fault IS NULL THEN
    SELECT 'refers to what is not placed, ' || key.conname INTO fault FROM pg_constraint key
    WHERE key.contype = 'f' AND key.conrelid = one AND key.confrelid NOT IN (SELECT p.name FROM placed p) LIMIT 1;
  END IF;
  IF fault IS NULL THEN
    SELECT 'refers without the column, or takes along or clears it, ' || key.conname INTO fault
    FROM pg_constraint key JOIN placed other ON other.name = key.confrelid
    WHERE key.contype = 'f' AND key.conrelid = one AND other.by_column IS NOT NULL AND (
      refuse_unfit.by_column IS NULL OR key.confupdtype IN ('c', 'n', 'd') OR key.confdeltype IN ('n', 'd') OR NOT EXISTS (
        SELECT FROM unnest(key.conkey, key.confkey) pair (own, its)
          JOIN pg_attribute a ON a.attrelid = key.conrelid AND a.attnum = pair.own AND a.attname = refuse_unfit.by_column
          JOIN pg_attribute b ON b.attrelid = key.confrelid AND b.attnum = pair.its AND b.attname = other.by_column)) LIMIT 1;
  END IF;
  IF fault IS NOT NULL THEN RAISE EXCEPTION 'cannot place %: it %', one, fault; END IF;
END $$;

CREATE FUNCTION create_reference_table(table_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_unfit(table_name::regclass, NULL);
  INSERT INTO placed VALUES (table_name::regclass, NULL);
END $$;

CREATE FUNCTION create_distributed_table(table_name text, by_column text, colocate_with text DEFAULT 'default') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_unfit(table_name::regclass, by_column);
  IF colocate_with <> 'default' AND NOT EXISTS (SELECT FROM placed p WHERE p.name = colocate_with::regclass AND p.by_column IS NOT NULL) THEN
    RAISE EXCEPTION '% is not spread', colocate_with;
  END IF;
  INSERT INTO placed VALUES (table_name::regclass, by_column);
END $$;
