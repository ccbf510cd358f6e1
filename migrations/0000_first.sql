CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"user_id" integer,
	"username" text,
	"kind" text NOT NULL,
	"row_id" integer NOT NULL,
	"action" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"version" integer,
	"request_id" text,
	"address" text
);
--> statement-breakpoint
CREATE TABLE "heartbeat" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "heartbeat_one_row" CHECK ("heartbeat"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "campaign_categories" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "campaign_categories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"color" text DEFAULT '#ffffff' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "campaign_category_links" (
	"campaign_id" integer NOT NULL,
	"category_id" integer NOT NULL,
	CONSTRAINT "campaign_category_links_campaign_id_category_id_pk" PRIMARY KEY("campaign_id","category_id")
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "campaigns_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"client_id" integer NOT NULL,
	"manager" text DEFAULT '' NOT NULL,
	"start_date" date,
	"due_date" smallint DEFAULT 1 NOT NULL,
	"initial_target" integer DEFAULT 0 NOT NULL,
	"month_3_target" integer,
	"month_6_target" integer,
	"month_9_target" integer,
	"month_12_target" integer,
	"service_fee" numeric(12, 2) DEFAULT 0 NOT NULL,
	"approved_ppc" numeric(12, 2) DEFAULT 0 NOT NULL,
	"is_ppc" boolean DEFAULT false NOT NULL,
	"trouble_state" smallint DEFAULT 2 NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"fixed_to_top" boolean DEFAULT false NOT NULL,
	"archived" boolean DEFAULT false NOT NULL,
	"timezone" text DEFAULT 'America/New_York' NOT NULL,
	"schedule" jsonb DEFAULT '[{"enabled":false,"day":0,"startTime":"10:00","endTime":"15:00"},{"enabled":true,"day":1,"startTime":"10:00","endTime":"19:00"},{"enabled":true,"day":2,"startTime":"10:00","endTime":"19:00"},{"enabled":true,"day":3,"startTime":"10:00","endTime":"19:00"},{"enabled":true,"day":4,"startTime":"10:00","endTime":"19:00"},{"enabled":true,"day":5,"startTime":"10:00","endTime":"19:00"},{"enabled":false,"day":6,"startTime":"10:00","endTime":"15:00"}]'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "campaigns_due_date" CHECK ("campaigns"."due_date" between 1 and 31),
	CONSTRAINT "campaigns_trouble_state" CHECK ("campaigns"."trouble_state" in (1, 2, 3, 4, 5, 10))
);
--> statement-breakpoint
CREATE TABLE "client_sites" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "client_sites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"url" text NOT NULL,
	"campaign_id" integer,
	"callrail_campaign_identifier" text,
	"callrail_signing_key" "bytea",
	"hook_key" "bytea",
	"ip" text,
	"status" smallint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "clients_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"timezone" text DEFAULT 'America/New_York' NOT NULL,
	"emails" text[] DEFAULT '{}' NOT NULL,
	"disable_notifications" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "tool_links" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tool_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"label" text NOT NULL,
	"url" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbound_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inbound_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider" text NOT NULL,
	"clientsite_id" integer,
	"headers" jsonb NOT NULL,
	"body" "bytea" NOT NULL,
	"state" text DEFAULT 'stored' NOT NULL,
	"reason" text,
	"lead_id" integer,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"processed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"lead_id" integer NOT NULL,
	"kind" text NOT NULL,
	"recipients" text[] NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"error" text,
	"requested_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"handed_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "blacklist" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"keywords" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "blacklist_one_row" CHECK ("blacklist"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "spammers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "spammers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"phone" text,
	"phone_key" text,
	"email" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "spammers_phone_or_email" CHECK ("spammers"."phone" is not null or "spammers"."email" is not null)
);
--> statement-breakpoint
CREATE TABLE "leads" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"campaign_id" integer,
	"clientsite_id" integer,
	"lead_s" text NOT NULL,
	"lead_id" text NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"lead_type" text NOT NULL,
	"lead_name" text,
	"lead_location" text,
	"lead_email" text,
	"lead_phone" text,
	"phone_key" text,
	"email_key" text GENERATED ALWAYS AS (lower(lead_email)) STORED,
	"message" text,
	"notes" text,
	"duration" integer,
	"answered" boolean,
	"voicemail" boolean DEFAULT false NOT NULL,
	"call_type" text,
	"recording_url" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"tag_causes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"confirmed" boolean DEFAULT false NOT NULL,
	"hide" boolean DEFAULT false NOT NULL,
	"archived" boolean DEFAULT false NOT NULL,
	"first_call" boolean DEFAULT false NOT NULL,
	"client_progress" smallint,
	"company_name" text,
	"client_notes" text,
	"client_value" numeric(12, 2),
	"client_profit" numeric(12, 2),
	"rating" smallint,
	"rating_via" text,
	"last_url" text,
	"referrer" text,
	"source" text,
	"keywords" text,
	"gclid" text,
	"tracking_phone_number" text,
	"tracking_source" text,
	"notify" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"answering_status" text GENERATED ALWAYS AS (case
        when lead_type <> 'Call' then null
        when tags && array['Missed Call', 'Auto Missed Call'] then 'Missed'
        when answered then 'Answered'
        when call_type = 'abandoned' or (not voicemail and coalesce(duration, 0) < 15) then 'Abandoned'
        else 'Unanswered' end) STORED,
	"facets" integer GENERATED ALWAYS AS ((lead_type = 'Call')::int
        + 2 * (case
            when lead_type <> 'Call' then 0
            when tags && array['Missed Call', 'Auto Missed Call'] then 4
            when answered then 2
            when call_type = 'abandoned' or (not voicemail and coalesce(duration, 0) < 15) then 1
            else 3 end)
        + (coalesce(client_progress, 0)::int << 4)
        + (coalesce(array_position(array['Google Organic', 'Google Paid', 'Google Maps', 'Facebook', 'Instagram', 'Google Local Services Ads'], source), 0) << 7)
        + (confirmed::int << 10)
        + ((not confirmed and tags = '{}' and not hide)::int << 11)
        + (first_call::int << 12)
        + (('Voicemail' = any(tags))::int << 13)
        + (('Voicemail Issues' = any(tags))::int << 14)
        + ((client_value is not null)::int << 15)
        + ((client_profit is not null)::int << 16)
        + (coalesce(rating, 0)::int << 17)
        + ((rating is null and client_progress is null and client_value is null and client_profit is null
            and company_name is null and client_notes is null)::int << 20)
        + (hide::int << 21)) STORED,
	"search_text" text GENERATED ALWAYS AS (lower(coalesce(lead_name, '') || chr(10) || coalesce(lead_email, '') || chr(10)
        || regexp_replace(coalesce(lead_phone, ''), '[^0-9]', '', 'g') || chr(10) || coalesce(message, '') || chr(10)
        || coalesce(lead_location, '') || chr(10) || coalesce(company_name, '') || chr(10)
        || coalesce(notes, '') || chr(10) || coalesce(client_notes, ''))) STORED,
	CONSTRAINT "leads_lead_type" CHECK ("leads"."lead_type" in ('Form', 'Call')),
	CONSTRAINT "leads_lead_s" CHECK ("leads"."lead_s" in ('Callrail', 'Formidable')),
	CONSTRAINT "leads_progress" CHECK ("leads"."client_progress" between 1 and 5),
	CONSTRAINT "leads_rating" CHECK ("leads"."rating" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "rating_keys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rating_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"lead_id" integer NOT NULL,
	"mail_id" integer,
	"key_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"scanned_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "rating_saves" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rating_saves_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key_id" integer NOT NULL,
	"lead_id" integer NOT NULL,
	"auto" boolean NOT NULL,
	"choice" text,
	"outcome" text NOT NULL,
	"rating_before" smallint,
	"progress_before" smallint,
	"via_before" text,
	"address" text,
	"user_agent" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "remote_tokens" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"token_encrypted" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"via" text NOT NULL,
	"address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sign_in_failures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account" text NOT NULL,
	"address" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_campaigns" (
	"user_id" integer NOT NULL,
	"campaign_id" integer NOT NULL,
	CONSTRAINT "user_campaigns_user_id_campaign_id_pk" PRIMARY KEY("user_id","campaign_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"role" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"permissions" text[] DEFAULT '{}' NOT NULL,
	"client_id" integer,
	"hidden_columns" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "users_role" CHECK ("users"."role" in ('super_admin', 'admin', 'leads_handler', 'customer')),
	CONSTRAINT "users_customer_has_client" CHECK (("users"."role" = 'customer') = ("users"."client_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "campaign_category_links" ADD CONSTRAINT "campaign_category_links_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_category_links" ADD CONSTRAINT "campaign_category_links_category_id_campaign_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."campaign_categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_sites" ADD CONSTRAINT "client_sites_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_events" ADD CONSTRAINT "inbound_events_clientsite_id_client_sites_id_fk" FOREIGN KEY ("clientsite_id") REFERENCES "public"."client_sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_events" ADD CONSTRAINT "inbound_events_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_clientsite_id_client_sites_id_fk" FOREIGN KEY ("clientsite_id") REFERENCES "public"."client_sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rating_keys" ADD CONSTRAINT "rating_keys_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rating_keys" ADD CONSTRAINT "rating_keys_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rating_saves" ADD CONSTRAINT "rating_saves_key_id_rating_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."rating_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rating_saves" ADD CONSTRAINT "rating_saves_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remote_tokens" ADD CONSTRAINT "remote_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_campaigns" ADD CONSTRAINT "user_campaigns_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_campaigns" ADD CONSTRAINT "user_campaigns_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_row" ON "audit" USING btree ("kind","row_id","id");--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "campaign_category_links_category" ON "campaign_category_links" USING btree ("category_id");--> statement-breakpoint
CREATE INDEX "campaigns_client" ON "campaigns" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "client_sites_campaign" ON "client_sites" USING btree ("campaign_id");--> statement-breakpoint
CREATE UNIQUE INDEX "client_sites_callrail" ON "client_sites" USING btree ("callrail_campaign_identifier") WHERE "client_sites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "inbound_events_waiting" ON "inbound_events" USING btree ("id") WHERE state = 'stored';--> statement-breakpoint
CREATE INDEX "inbound_events_quarantine" ON "inbound_events" USING btree ("id") WHERE state = 'quarantined';--> statement-breakpoint
CREATE INDEX "inbound_events_lead" ON "inbound_events" USING btree ("lead_id") WHERE lead_id is not null;--> statement-breakpoint
CREATE INDEX "mails_lead" ON "mails" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "mails_open" ON "mails" USING btree ("state") WHERE state in ('queued', 'handing');--> statement-breakpoint
CREATE INDEX "spammers_phone" ON "spammers" USING btree ("phone_key");--> statement-breakpoint
CREATE INDEX "spammers_email" ON "spammers" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "leads_provider" ON "leads" USING btree ("lead_s","lead_id");--> statement-breakpoint
CREATE INDEX "leads_related_phone" ON "leads" USING btree ("phone_key","campaign_id","hide","id") WHERE phone_key is not null;--> statement-breakpoint
CREATE INDEX "leads_related_email" ON "leads" USING btree ("email_key","campaign_id","hide","id") WHERE email_key is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "rating_keys_hash" ON "rating_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "rating_keys_lead" ON "rating_keys" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "rating_saves_key" ON "rating_saves" USING btree ("key_id","at");--> statement-breakpoint
CREATE INDEX "rating_saves_lead" ON "rating_saves" USING btree ("lead_id");--> statement-breakpoint
CREATE UNIQUE INDEX "remote_tokens_hash" ON "remote_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_failures_account" ON "sign_in_failures" USING btree ("account","at");--> statement-breakpoint
CREATE INDEX "sign_in_failures_address" ON "sign_in_failures" USING btree ("address","at");--> statement-breakpoint
CREATE INDEX "user_campaigns_campaign" ON "user_campaigns" USING btree ("campaign_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username" ON "users" USING btree (lower("username")) WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email")) WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_client" ON "users" USING btree ("client_id") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- The default list and its deep pages; the included columns let the statistics be one index-only scan.
CREATE INDEX "leads_list" ON "leads" ("occurred_at" DESC, "id" DESC) INCLUDE ("campaign_id", "facets", "client_value", "client_profit") WHERE not archived;
--> statement-breakpoint
CREATE INDEX "leads_archive" ON "leads" ("occurred_at" DESC, "id" DESC) INCLUDE ("campaign_id", "facets", "client_value", "client_profit") WHERE archived;
--> statement-breakpoint
CREATE INDEX "leads_campaign" ON "leads" ("campaign_id", "occurred_at" DESC, "id" DESC) INCLUDE ("archived", "facets", "client_value", "client_profit");
--> statement-breakpoint
-- Every word of a search is a substring of this column.
CREATE INDEX "leads_search" ON "leads" USING gin ("search_text" gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "leads_tags" ON "leads" USING gin ("tags") WHERE tags <> '{}';
--> statement-breakpoint
-- A page that is not known to be visible to all costs an index-only scan a look into the table, and the newest leads are
-- the ones that everybody counts: vacuum after a thousand of them, not after a fifth of the table.
ALTER TABLE "leads" SET (autovacuum_vacuum_insert_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
--> statement-breakpoint
-- How many leads each test of the facets finds (facets.ts). Without these the planner takes every one of them for a
-- two-hundredth of the table, and sorts half of it where walking the index would do.
CREATE STATISTICS "leads_facets_1" ON (("facets" & 1)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_14" ON (("facets" & 14)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_112" ON (("facets" & 112)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_896" ON (("facets" & 896)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_1024" ON (("facets" & 1024)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_2048" ON (("facets" & 2048)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_4096" ON (("facets" & 4096)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_8192" ON (("facets" & 8192)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_16384" ON (("facets" & 16384)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_32768" ON (("facets" & 32768)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_65536" ON (("facets" & 65536)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_32880" ON (("facets" & 32880)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_65648" ON (("facets" & 65648)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_917504" ON (("facets" & 917504)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_1048576" ON (("facets" & 1048576)) FROM "leads";
--> statement-breakpoint
CREATE STATISTICS "leads_facets_2097152" ON (("facets" & 2097152)) FROM "leads";
--> statement-breakpoint
INSERT INTO "blacklist" ("id") VALUES (1);
--> statement-breakpoint
-- The trail is append-only for everybody, this program included.
CREATE FUNCTION "audit_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_append_only" BEFORE UPDATE OR DELETE ON "audit" FOR EACH ROW EXECUTE FUNCTION "audit_is_append_only"();
--> statement-breakpoint
CREATE TRIGGER "audit_no_truncate" BEFORE TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION "audit_is_append_only"();
