CREATE TABLE "campaign_gmb_logs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "campaign_gmb_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmb_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed" text NOT NULL,
	"old" text,
	"new" text,
	"username" text
);
--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "suspended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD COLUMN "changed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "campaign_gmb_logs" ADD CONSTRAINT "campaign_gmb_logs_gmb_id_campaign_gmbs_id_fk" FOREIGN KEY ("gmb_id") REFERENCES "public"."campaign_gmbs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaign_gmb_logs_gmb" ON "campaign_gmb_logs" USING btree ("gmb_id","created_at","id");--> statement-breakpoint
CREATE INDEX "campaign_gmbs_by_title" ON "campaign_gmbs" USING btree (lower("title"),"id") WHERE "campaign_gmbs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "campaign_gmbs_place" ON "campaign_gmbs" USING btree ("latitude","longitude") WHERE "campaign_gmbs"."deleted_at" is null;--> statement-breakpoint
UPDATE "campaign_gmbs" SET "suspended_at" = "updated_at" WHERE "status" = 4;--> statement-breakpoint
UPDATE "campaign_gmbs" SET "changed_at" = "updated_at" WHERE "changed";
