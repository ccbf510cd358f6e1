ALTER TABLE "leads" ADD COLUMN "phone_shared" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "email_shared" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "leads_site" ON "leads" USING btree ("clientsite_id","lead_s","occurred_at");--> statement-breakpoint
-- The leads that are already here.
UPDATE "leads" SET "phone_shared" = "same"."phone", "email_shared" = "same"."email" FROM (
  SELECT "id", "phone_key" IS NOT NULL AND count(*) OVER (PARTITION BY "phone_key") > 1 AS "phone",
    "email_key" IS NOT NULL AND count(*) OVER (PARTITION BY "email_key") > 1 AS "email" FROM "leads"
) "same" WHERE "same"."id" = "leads"."id" AND ("same"."phone" OR "same"."email");
--> statement-breakpoint
-- Related leads across campaigns, in the order of the list. It holds all that their number is counted from, also for those who
-- see only some campaigns.
CREATE INDEX "leads_shared" ON "leads" ("occurred_at" DESC, "id" DESC) INCLUDE ("campaign_id", "phone_key", "email_key") WHERE phone_shared or email_shared;
