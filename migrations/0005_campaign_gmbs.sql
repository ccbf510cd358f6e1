CREATE TABLE "campaign_gmbs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "campaign_gmbs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"campaign_id" integer NOT NULL,
	"title" text NOT NULL,
	"address" text,
	"website" text,
	"phone" text,
	"email" text,
	"password" "bytea",
	"recovery_email" "bytea",
	"link" text NOT NULL,
	"review_link" text,
	"status" smallint NOT NULL,
	"client_owned" boolean DEFAULT false NOT NULL,
	"is_client_location" boolean DEFAULT false NOT NULL,
	"notes" text,
	"changed" boolean DEFAULT false NOT NULL,
	"reviews_count" integer,
	"latitude" double precision,
	"longitude" double precision,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "campaign_gmbs_status" CHECK ("campaign_gmbs"."status" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "teams" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "teams_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "hours_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD CONSTRAINT "campaign_gmbs_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaign_gmbs_campaign" ON "campaign_gmbs" USING btree ("campaign_id") WHERE "campaign_gmbs"."deleted_at" is null;