CREATE TABLE "counted_changes" (
	"campaign_id" integer NOT NULL,
	"week" timestamp (3) with time zone NOT NULL,
	"hide" boolean NOT NULL,
	"confirmed" integer NOT NULL,
	"missed" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "counted_weeks" (
	"campaign_id" integer NOT NULL,
	"week" timestamp (3) with time zone NOT NULL,
	"hide" boolean NOT NULL,
	"confirmed" integer NOT NULL,
	"missed" integer NOT NULL,
	CONSTRAINT "counted_weeks_campaign_id_week_hide_pk" PRIMARY KEY("campaign_id","week","hide")
);
--> statement-breakpoint
CREATE TABLE "week_starts" (
	"starts_at" timestamp (3) with time zone PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "week_zone" (
	"zone" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE INDEX "counted_weeks_week" ON "counted_weeks" USING btree ("week");--> statement-breakpoint
-- Whether chart and table count a lead: spelt as the index leads_counted spells it.
CREATE FUNCTION "is_counted"(campaign_id int, archived boolean, confirmed boolean, tags text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT campaign_id IS NOT NULL AND NOT archived AND (confirmed OR tags && array['Missed Call', 'Auto Missed Call'])
$$;--> statement-breakpoint
CREATE FUNCTION "week_of"(moment timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT max(starts_at) FROM week_starts WHERE starts_at <= moment), '-infinity')
$$;--> statement-breakpoint
-- What a statement added to the counted leads and took away from them. Volatile: it must see the calendar of now.
CREATE FUNCTION "count_weeks"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO counted_changes (campaign_id, week, hide, confirmed, missed)
    SELECT campaign_id, week_of(occurred_at), hide, sum(confirmed::int), sum((NOT confirmed)::int)
    FROM added WHERE is_counted(campaign_id, archived, confirmed, tags) GROUP BY 1, 2, 3;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO counted_changes (campaign_id, week, hide, confirmed, missed)
    SELECT campaign_id, week_of(occurred_at), hide, -sum(confirmed::int), -sum((NOT confirmed)::int)
    FROM taken WHERE is_counted(campaign_id, archived, confirmed, tags) GROUP BY 1, 2, 3;
  ELSE
    INSERT INTO counted_changes (campaign_id, week, hide, confirmed, missed)
    SELECT campaign_id, week_of(occurred_at), hide, sum(sign * confirmed::int), sum(sign * (NOT confirmed)::int)
    FROM (
      SELECT 1 AS sign, campaign_id, occurred_at, hide, confirmed FROM added WHERE is_counted(campaign_id, archived, confirmed, tags)
      UNION ALL
      SELECT -1, campaign_id, occurred_at, hide, confirmed FROM taken WHERE is_counted(campaign_id, archived, confirmed, tags)
    ) changed
    GROUP BY 1, 2, 3 HAVING sum(sign * confirmed::int) <> 0 OR sum(sign * (NOT confirmed)::int) <> 0;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "leads_added" AFTER INSERT ON "leads" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_weeks();--> statement-breakpoint
CREATE TRIGGER "leads_changed" AFTER UPDATE ON "leads" REFERENCING NEW TABLE AS added OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION count_weeks();--> statement-breakpoint
CREATE TRIGGER "leads_taken" AFTER DELETE ON "leads" REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION count_weeks();
