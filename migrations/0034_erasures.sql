CREATE TABLE "erasures" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "erasures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"list_key" text NOT NULL,
	"person" "bytea" NOT NULL,
	"counts" jsonb NOT NULL,
	"user_id" integer,
	"username" text,
	CONSTRAINT "erasures_list_key_unique" UNIQUE("list_key")
);
--> statement-breakpoint
DROP INDEX "mails_refused";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "again_of" integer;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "relay_answer" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "erasures_at" ON "erasures" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("id") WHERE state in ('refused', 'uncertain');
--> statement-breakpoint
-- A JSON value without what matches the pattern. A number that matches becomes text.
CREATE FUNCTION "erase_mentions"(value jsonb, pattern text, tombstone text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE jsonb_typeof(value)
    WHEN 'string' THEN RETURN to_jsonb(regexp_replace(value #>> '{}', pattern, tombstone, 'gi'));
    WHEN 'number' THEN RETURN CASE WHEN (value #>> '{}') ~* pattern THEN to_jsonb(tombstone) ELSE value END;
    WHEN 'array' THEN RETURN (
      SELECT coalesce(jsonb_agg(erase_mentions(item, pattern, tombstone) ORDER BY place), '[]')
      FROM jsonb_array_elements(value) WITH ORDINALITY items (item, place));
    WHEN 'object' THEN RETURN (
      SELECT coalesce(jsonb_object_agg(regexp_replace(name, pattern, tombstone, 'gi'), erase_mentions(item, pattern, tombstone)), '{}')
      FROM jsonb_each(value) items (name, item));
    ELSE RETURN value;
  END CASE;
END $$;
--> statement-breakpoint
-- A JSON object whose named fields have lost their values.
CREATE FUNCTION "erase_fields"(value jsonb, names text[], tombstone text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(value) = 'object' THEN (
    SELECT coalesce(jsonb_object_agg(name, CASE WHEN name = ANY (names) AND item <> 'null' THEN to_jsonb(tombstone) ELSE item END), '{}')
    FROM jsonb_each(value) items (name, item)) ELSE value END
$$;
--> statement-breakpoint
-- True within a transaction that has recorded an erasure and says that it is carrying it out.
CREATE FUNCTION "is_erasing_a_person"() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM erasures WHERE id = nullif(current_setting('leadline.erasure', true), '')::int AND xmin = pg_current_xact_id()::xid)
$$;
--> statement-breakpoint
-- Values may be erased with a person, and entries removed that are past their retention: a year old at least. Nothing else.
CREATE OR REPLACE FUNCTION "audit_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - ARRAY['before', 'after'] = to_jsonb(OLD) - ARRAY['before', 'after'] AND is_erasing_a_person() THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND current_setting('leadline.retention', true) = 'audit' AND OLD.at < now() - interval '365 days' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the audit trail is append-only';
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "happenings_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - ARRAY['before', 'after'] = to_jsonb(OLD) - ARRAY['before', 'after'] AND is_erasing_a_person() THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'happenings are append-only';
END $$;
