CREATE TABLE "test_leads" (
	"campaign_id" integer PRIMARY KEY NOT NULL,
	"message_id" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "campaign_categories" ADD COLUMN "template" jsonb;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "hours_saved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "test_leads" ADD CONSTRAINT "test_leads_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_leads" ADD CONSTRAINT "test_leads_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;