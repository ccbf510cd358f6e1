-- Processes keep sums in memory until they change, and see that by the row version of "lead_sums_zone". As a trigger it also counts for
-- whoever else changes sums: the version before while this one starts, a person in psql.
CREATE FUNCTION "mark_sums_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE lead_sums_zone SET zone = zone;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "lead_sums_changed" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "lead_sums" FOR EACH STATEMENT EXECUTE FUNCTION mark_sums_changed();
