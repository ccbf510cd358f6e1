CREATE TABLE "campaign_areas" (
	"campaign_id" integer PRIMARY KEY NOT NULL,
	"points" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "zip_codes" (
	"zip" text PRIMARY KEY NOT NULL,
	"city" text NOT NULL,
	"state" text NOT NULL,
	"centre" "point" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_areas" ADD CONSTRAINT "campaign_areas_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "zip_codes_centre" ON "zip_codes" USING gist ("centre");--> statement-breakpoint
CREATE INDEX "clients_by_name" ON "clients" USING btree (lower("name"),"id") WHERE "clients"."deleted_at" is null;