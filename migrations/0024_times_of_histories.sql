ALTER TABLE "callrail_history_leads" ALTER COLUMN "connection_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "callrail_history_leads" ADD COLUMN "read_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "callrail_history_leads" lead SET "read_at" = history."started_at"
  FROM "callrail_histories" history WHERE history."connection_id" = lead."connection_id";
