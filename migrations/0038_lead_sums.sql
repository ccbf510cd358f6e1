CREATE TABLE "lead_changes" (
	"campaign_id" integer NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"archived" boolean NOT NULL,
	"facets" integer NOT NULL,
	"missed" boolean NOT NULL,
	"number" integer NOT NULL,
	"client_value" numeric(18, 2),
	"client_profit" numeric(18, 2)
);
--> statement-breakpoint
CREATE TABLE "lead_sums" (
	"campaign_id" integer NOT NULL,
	"period" integer NOT NULL,
	"archived" boolean NOT NULL,
	"hide" boolean NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"missed" integer DEFAULT 0 NOT NULL,
	"lead_type_1" integer DEFAULT 0 NOT NULL,
	"lead_type_2" integer DEFAULT 0 NOT NULL,
	"answering_status_1" integer DEFAULT 0 NOT NULL,
	"answering_status_2" integer DEFAULT 0 NOT NULL,
	"answering_status_3" integer DEFAULT 0 NOT NULL,
	"answering_status_4" integer DEFAULT 0 NOT NULL,
	"client_progress_1" integer DEFAULT 0 NOT NULL,
	"client_progress_2" integer DEFAULT 0 NOT NULL,
	"client_progress_3" integer DEFAULT 0 NOT NULL,
	"client_progress_4" integer DEFAULT 0 NOT NULL,
	"client_progress_5" integer DEFAULT 0 NOT NULL,
	"source_1" integer DEFAULT 0 NOT NULL,
	"source_2" integer DEFAULT 0 NOT NULL,
	"source_3" integer DEFAULT 0 NOT NULL,
	"source_4" integer DEFAULT 0 NOT NULL,
	"source_5" integer DEFAULT 0 NOT NULL,
	"source_6" integer DEFAULT 0 NOT NULL,
	"confirmed" integer DEFAULT 0 NOT NULL,
	"unmarked" integer DEFAULT 0 NOT NULL,
	"first_call" integer DEFAULT 0 NOT NULL,
	"voicemail" integer DEFAULT 0 NOT NULL,
	"voicemail_issues" integer DEFAULT 0 NOT NULL,
	"value" integer DEFAULT 0 NOT NULL,
	"value_sum" numeric(18, 2) DEFAULT '0' NOT NULL,
	"profit" integer DEFAULT 0 NOT NULL,
	"profit_sum" numeric(18, 2) DEFAULT '0' NOT NULL,
	"won_value" integer DEFAULT 0 NOT NULL,
	"won_value_sum" numeric(18, 2) DEFAULT '0' NOT NULL,
	"won_profit" integer DEFAULT 0 NOT NULL,
	"won_profit_sum" numeric(18, 2) DEFAULT '0' NOT NULL,
	"rating" integer DEFAULT 0 NOT NULL,
	"rating_sum" integer DEFAULT 0 NOT NULL,
	"no_feedback" integer DEFAULT 0 NOT NULL,
	"not_rated" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "lead_sums_campaign_id_period_archived_hide_pk" PRIMARY KEY("campaign_id","period","archived","hide")
);
--> statement-breakpoint
CREATE TABLE "lead_sums_zone" (
	"zone" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
-- The store records its changes itself. This is for whoever else writes leads: the version before while this one starts, a person in
-- psql. Where leads are spread over machines there is no such writer, and no trigger.
CREATE FUNCTION "record_lead_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('leadline.records_lead_changes', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO lead_changes (campaign_id, occurred_at, archived, facets, missed, number, client_value, client_profit)
    SELECT campaign_id, occurred_at, archived, facets, NOT confirmed AND tags && array['Missed Call', 'Auto Missed Call'],
      1, client_value, client_profit FROM added;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO lead_changes (campaign_id, occurred_at, archived, facets, missed, number, client_value, client_profit)
    SELECT campaign_id, occurred_at, archived, facets, NOT confirmed AND tags && array['Missed Call', 'Auto Missed Call'],
      -1, -client_value, -client_profit FROM taken;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "leads_added_elsewhere" AFTER INSERT ON "leads" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION record_lead_changes();--> statement-breakpoint
CREATE TRIGGER "leads_changed_elsewhere" AFTER UPDATE ON "leads" REFERENCING NEW TABLE AS added OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION record_lead_changes();--> statement-breakpoint
CREATE TRIGGER "leads_taken_elsewhere" AFTER DELETE ON "leads" REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION record_lead_changes();--> statement-breakpoint
-- Weeks are no longer counted by themselves. The version before counts the leads where none are marked as counted; its tables go
-- with the next release.
DELETE FROM "week_zone";--> statement-breakpoint
DROP TRIGGER "leads_added" ON "leads";--> statement-breakpoint
DROP TRIGGER "leads_changed" ON "leads";--> statement-breakpoint
DROP TRIGGER "leads_taken" ON "leads";
--> statement-breakpoint
-- Emptied every minute, and read by everybody in between.
ALTER TABLE "lead_changes" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "lead_sums" SET (fillfactor = 80);
