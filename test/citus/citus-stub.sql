-- The checks of a Citus function: what it looks up in the catalog before it distributes a table, according to the documentation and the
-- source of Citus, and to what a cluster did. It distributes nothing, it only records the table.
CREATE TABLE citus_tables (name regclass PRIMARY KEY, by_column text);

-- Citus keeps counters of its own next to PostgreSQL's catalog, where only this setting lets others create one.
SET allow_system_table_mods = on;
CREATE SEQUENCE pg_catalog.pg_dist_shardid_seq;
RESET allow_system_table_mods;

CREATE FUNCTION check_table(one regclass, by_column text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  violation text;
BEGIN
  SELECT 'has a trigger, ' || tgname INTO violation FROM pg_trigger WHERE tgrelid = one AND NOT tgisinternal LIMIT 1;
  IF violation IS NULL AND check_table.by_column IS NOT NULL THEN
    SELECT 'may lack the distribution column' INTO violation FROM pg_attribute
    WHERE attrelid = one AND attname = check_table.by_column AND (NOT attnotnull OR attgenerated <> '');
  END IF;
  IF violation IS NULL AND check_table.by_column IS NOT NULL THEN
    SELECT 'is unique without the distribution column, ' || indexrelid::regclass INTO violation FROM pg_index
    WHERE indrelid = one AND indisunique
      AND NOT (SELECT attnum FROM pg_attribute WHERE attrelid = one AND attname = check_table.by_column) = any (indkey::int2[]) LIMIT 1;
  END IF;
  IF violation IS NULL THEN
    SELECT 'refers to a table that is not distributed, ' || key.conname INTO violation FROM pg_constraint key
    WHERE key.contype = 'f' AND key.conrelid = one AND key.confrelid NOT IN (SELECT p.name FROM citus_tables p) LIMIT 1;
  END IF;
  IF violation IS NULL THEN
    SELECT 'refers without the distribution column, or cascades or clears it, ' || key.conname INTO violation
    FROM pg_constraint key JOIN citus_tables other ON other.name = key.confrelid
    WHERE key.contype = 'f' AND key.conrelid = one AND other.by_column IS NOT NULL AND (
      check_table.by_column IS NULL OR key.confupdtype IN ('c', 'n', 'd') OR key.confdeltype IN ('n', 'd') OR NOT EXISTS (
        SELECT FROM unnest(key.conkey, key.confkey) pair (own, its)
          JOIN pg_attribute a ON a.attrelid = key.conrelid AND a.attnum = pair.own AND a.attname = check_table.by_column
          JOIN pg_attribute b ON b.attrelid = key.confrelid AND b.attnum = pair.its AND b.attname = other.by_column)) LIMIT 1;
  END IF;
  IF violation IS NOT NULL THEN RAISE EXCEPTION 'cannot distribute %: it %', one, violation; END IF;
END $$;

CREATE FUNCTION create_distributed_table(table_name text, by_column text, colocate_with text DEFAULT 'default') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_table(table_name::regclass, by_column);
  IF colocate_with <> 'default' AND NOT EXISTS (SELECT FROM citus_tables p WHERE p.name = colocate_with::regclass AND p.by_column IS NOT NULL) THEN
    RAISE EXCEPTION '% is not distributed', colocate_with;
  END IF;
  INSERT INTO citus_tables VALUES (table_name::regclass, by_column);
  PERFORM nextval('pg_dist_shardid_seq');
END $$;

CREATE FUNCTION truncate_local_data_after_distributing_table(table_name regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM citus_tables WHERE name = table_name) THEN RAISE EXCEPTION '% is not distributed', table_name; END IF;
END $$;
