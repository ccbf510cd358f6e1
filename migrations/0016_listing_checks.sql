ALTER TABLE "campaign_gmbs" ADD COLUMN "cid" text GENERATED ALWAYS AS (substring(link from '[?&]cid=([0-9]{15,20})(?![0-9])')) STORED;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "changed_fields" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "seen" jsonb;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "seen_by" text;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "standing" text;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "missed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "gone_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "check_problem" text;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "check_asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "next_check_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "campaign_gmbs_cid" ON "campaign_gmbs" USING btree ("cid") WHERE "campaign_gmbs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "campaign_gmbs_due" ON "campaign_gmbs" USING btree ("next_check_at") WHERE "campaign_gmbs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "campaign_gmbs_asked" ON "campaign_gmbs" USING btree ("check_asked_at") WHERE "campaign_gmbs"."check_asked_at" is not null;