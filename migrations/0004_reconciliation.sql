CREATE TABLE "callrail_reconciliation" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"until" timestamp (3) with time zone,
	"ran_at" timestamp (3) with time zone NOT NULL,
	"outcome" text NOT NULL,
	"error" text,
	CONSTRAINT "callrail_reconciliation_one_row" CHECK ("callrail_reconciliation"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "inbound_events" ADD COLUMN "reconciled_as" text;--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_events_reconciled_as" ON "inbound_events" USING btree ("reconciled_as") WHERE reconciled_as is not null;--> statement-breakpoint
CREATE INDEX "inbound_events_reconciled" ON "inbound_events" USING btree ("received_at") WHERE reconciled_as is not null;