CREATE TABLE "google_accounts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "google_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"subject" text NOT NULL,
	"email" text NOT NULL,
	"account_name" text NOT NULL,
	"refresh_token" "bytea" NOT NULL,
	"linked_by" integer,
	"linked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"needs_relink_since" timestamp (3) with time zone,
	"sync_started_at" timestamp (3) with time zone,
	"sync_ended_at" timestamp (3) with time zone,
	"synced_at" timestamp (3) with time zone,
	"problem" text,
	CONSTRAINT "google_accounts_subject_unique" UNIQUE("subject")
);
--> statement-breakpoint
CREATE TABLE "google_categories" (
	"region_code" text NOT NULL,
	"name" text NOT NULL,
	"display_name" text NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "google_categories_region_code_name_pk" PRIMARY KEY("region_code","name")
);
--> statement-breakpoint
CREATE TABLE "google_edits" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "google_edits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"location_id" integer NOT NULL,
	"fields" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"error" text,
	"errors" jsonb,
	"user_id" integer,
	"username" text,
	"request_id" text,
	"address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "google_link_states" (
	"state_hash" "bytea" PRIMARY KEY NOT NULL,
	"session_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "google_locations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "google_locations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"name" text NOT NULL,
	"business_account" text NOT NULL,
	"business_account_name" text NOT NULL,
	"title" text NOT NULL,
	"store_code" text,
	"address" text,
	"region_code" text DEFAULT 'US' NOT NULL,
	"phone" text,
	"website" text,
	"description" text,
	"service_area" text,
	"primary_category" jsonb,
	"categories" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"category_names" text DEFAULT '' NOT NULL,
	"google_maps_url" text,
	"review_link" text,
	"place_id" text,
	"cid" text,
	"open_status" text,
	"standing" text DEFAULT 'unknown' NOT NULL,
	"standing_since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"has_google_updated" boolean DEFAULT false NOT NULL,
	"has_pending_edits" boolean DEFAULT false NOT NULL,
	"pending_parts" text[] DEFAULT '{}' NOT NULL,
	"vanished_since" timestamp (3) with time zone,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"searchable" text GENERATED ALWAYS AS (lower(title || ' ' || coalesce(store_code, '') || ' ' || coalesce(address, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(website, '')
        || ' ' || coalesce(description, '') || ' ' || coalesce(service_area, '') || ' ' || category_names)) STORED,
	CONSTRAINT "google_locations_name_unique" UNIQUE("name")
);
--> statement-breakpoint
ALTER TABLE "google_accounts" ADD CONSTRAINT "google_accounts_linked_by_users_id_fk" FOREIGN KEY ("linked_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "google_edits" ADD CONSTRAINT "google_edits_location_id_google_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."google_locations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "google_link_states" ADD CONSTRAINT "google_link_states_session_hash_sessions_token_hash_fk" FOREIGN KEY ("session_hash") REFERENCES "public"."sessions"("token_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "google_locations" ADD CONSTRAINT "google_locations_account_id_google_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."google_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "google_edits_open" ON "google_edits" USING btree ("location_id","id") WHERE state in ('waiting', 'sending', 'failed');--> statement-breakpoint
CREATE INDEX "google_edits_sent" ON "google_edits" USING btree ("location_id","sent_at");--> statement-breakpoint
CREATE INDEX "google_link_states_session" ON "google_link_states" USING btree ("session_hash");--> statement-breakpoint
CREATE INDEX "google_locations_by_title" ON "google_locations" USING btree (lower("title"),"id");--> statement-breakpoint
CREATE INDEX "google_locations_cid" ON "google_locations" USING btree ("cid");--> statement-breakpoint
CREATE INDEX "google_locations_account" ON "google_locations" USING btree ("account_id","seen_at");--> statement-breakpoint
CREATE INDEX "google_locations_searchable" ON "google_locations" USING gin ("searchable" gin_trgm_ops);