CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"user_id" integer,
	"username" text,
	"key_id" integer,
	"key_name" text,
	"kind" text NOT NULL,
	"row_id" integer NOT NULL,
	"action" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"version" integer,
	"request_id" text,
	"address" text
);--> statement-breakpoint
CREATE TABLE "heartbeat" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "heartbeat_one_row" CHECK ("heartbeat"."id" = 1)
);--> statement-breakpoint
CREATE TABLE "happenings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "happenings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" integer NOT NULL,
	"campaign_id" integer,
	"before" jsonb,
	"after" jsonb
);--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"pages" text[] NOT NULL,
	"access" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "password_links" (
	"key_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "password_requests" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "password_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"address" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "remote_tokens" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"token_encrypted" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"via" text NOT NULL,
	"address" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"proven_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"viewer_id" integer,
	"viewer_session" "bytea",
	CONSTRAINT "sessions_id_unique" UNIQUE("id"),
	CONSTRAINT "sessions_view" CHECK (("sessions"."via" = 'see_as') = ("sessions"."viewer_id" is not null) and ("sessions"."viewer_id" is null) = ("sessions"."viewer_session" is null))
);--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sign_in_failures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account" text NOT NULL,
	"address" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "user_campaigns" (
	"user_id" integer NOT NULL,
	"campaign_id" integer NOT NULL,
	CONSTRAINT "user_campaigns_user_id_campaign_id_pk" PRIMARY KEY("user_id","campaign_id")
);--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"role" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"permissions" text[] DEFAULT '{}' NOT NULL,
	"client_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"table_layouts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"hidden_columns" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"saw_tour" boolean DEFAULT false NOT NULL,
	"time_format" text DEFAULT '24h' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "users_role" CHECK ("users"."role" in ('super_admin', 'admin', 'leads_handler', 'customer')),
	CONSTRAINT "users_customer_has_client" CHECK (("users"."role" = 'customer') = ("users"."client_id" is not null))
);--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"challenge_hash" "bytea" PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" integer,
	"expires_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "passkeys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" integer NOT NULL,
	"code_hash" "bytea" NOT NULL,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);--> statement-breakpoint
CREATE TABLE "second_factor_roles" (
	"role" text PRIMARY KEY NOT NULL,
	CONSTRAINT "second_factor_roles_role" CHECK ("second_factor_roles"."role" in ('super_admin', 'admin', 'leads_handler', 'customer'))
);--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"challenge_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"via" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "totp_secrets" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"secret_encrypted" "bytea" NOT NULL,
	"enabled_at" timestamp (3) with time zone,
	"last_step" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "oidc_states" (
	"state_hash" "bytea" PRIMARY KEY NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "teams" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "teams_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "default_views" (
	"user_id" integer NOT NULL,
	"table" text NOT NULL,
	"view_id" integer NOT NULL,
	CONSTRAINT "default_views_user_id_table_pk" PRIMARY KEY("user_id","table")
);--> statement-breakpoint
CREATE TABLE "views" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "views_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"table" text NOT NULL,
	"query" jsonb NOT NULL,
	"columns" text[] NOT NULL,
	"sort" text,
	"order" text,
	"shared" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "files" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"key" text NOT NULL,
	"mime" text NOT NULL,
	"size" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "activity_item_files" (
	"item_id" integer NOT NULL,
	"file_id" integer NOT NULL,
	"position" smallint NOT NULL,
	CONSTRAINT "activity_item_files_item_id_file_id_pk" PRIMARY KEY("item_id","file_id")
);--> statement-breakpoint
CREATE TABLE "activity_items" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"campaign_id" integer,
	"team_id" integer,
	"date" date NOT NULL,
	"note" text NOT NULL,
	"user_id" integer NOT NULL,
	"is_task" boolean DEFAULT false NOT NULL,
	"assignee_id" integer,
	"is_done" boolean DEFAULT false NOT NULL,
	"client_may_read" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "activity_items_of_one" CHECK (num_nonnulls("activity_items"."campaign_id", "activity_items"."team_id") = 1),
	CONSTRAINT "activity_items_task" CHECK ("activity_items"."is_task" = ("activity_items"."assignee_id" is not null)),
	CONSTRAINT "activity_items_done" CHECK ("activity_items"."is_task" or not "activity_items"."is_done")
);--> statement-breakpoint
CREATE TABLE "agency" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"logo" text,
	CONSTRAINT "agency_single" CHECK ("agency"."id" = 1)
);--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "erasures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"list_key" text NOT NULL,
	"person" "bytea" NOT NULL,
	"counts" jsonb NOT NULL,
	"user_id" integer,
	"username" text,
	CONSTRAINT "erasures_list_key_unique" UNIQUE("list_key")
);--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "disputes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"lead_id" integer NOT NULL,
	"campaign_id" integer NOT NULL,
	"via" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"answer" text,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" integer,
	CONSTRAINT "disputes_answer" CHECK ((state = 'open') = (answer is null))
);--> statement-breakpoint
CREATE TABLE "statement_lines" (
	"campaign_id" integer NOT NULL,
	"from_day" date NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"lead_id" integer,
	"cents" bigint NOT NULL,
	"standing" text,
	"because" text NOT NULL,
	"refers_to" date,
	CONSTRAINT "statement_lines_campaign_id_from_day_position_pk" PRIMARY KEY("campaign_id","from_day","position")
);--> statement-breakpoint
CREATE TABLE "statements" (
	"campaign_id" integer NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"terms" jsonb NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_by" integer NOT NULL,
	CONSTRAINT "statements_campaign_id_from_day_pk" PRIMARY KEY("campaign_id","from_day"),
	CONSTRAINT "statements_days" CHECK ("statements"."from_day" <= "statements"."to_day")
);--> statement-breakpoint
CREATE TABLE "campaign_terms" (
	"campaign_id" integer PRIMARY KEY NOT NULL,
	"terms" jsonb NOT NULL,
	"version" integer NOT NULL
);--> statement-breakpoint
CREATE TABLE "campaign_areas" (
	"campaign_id" integer PRIMARY KEY NOT NULL,
	"points" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "zip_codes" (
	"zip" text PRIMARY KEY NOT NULL,
	"city" text NOT NULL,
	"state" text NOT NULL,
	"centre" "point" NOT NULL
);--> statement-breakpoint
CREATE TABLE "campaign_categories" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "campaign_categories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"color" text DEFAULT '#ffffff' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "campaign_category_links" (
	"campaign_id" integer NOT NULL,
	"category_id" integer NOT NULL,
	CONSTRAINT "campaign_category_links_campaign_id_category_id_pk" PRIMARY KEY("campaign_id","category_id")
);--> statement-breakpoint
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
	"hours_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "campaigns_due_date" CHECK ("campaigns"."due_date" between 1 and 31),
	CONSTRAINT "campaigns_trouble_state" CHECK ("campaigns"."trouble_state" in (1, 2, 3, 4, 5, 10))
);--> statement-breakpoint
CREATE TABLE "clients" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "clients_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"timezone" text DEFAULT 'America/New_York' NOT NULL,
	"emails" text[] DEFAULT '{}' NOT NULL,
	"disable_notifications" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "tool_links" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tool_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"label" text NOT NULL,
	"url" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL
);--> statement-breakpoint
CREATE TABLE "import_files" (
	"import_id" integer PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL
);--> statement-breakpoint
CREATE TABLE "import_problems" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "import_problems_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"import_id" integer NOT NULL,
	"kind" text NOT NULL,
	"line" integer NOT NULL,
	"column" text,
	"says" text NOT NULL,
	"value" text
);--> statement-breakpoint
CREATE TABLE "import_refused" (
	"import_id" integer PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "import_rows" (
	"import_id" integer NOT NULL,
	"line" integer NOT NULL,
	"row_id" integer NOT NULL,
	"fate" text,
	CONSTRAINT "import_rows_import_id_line_pk" PRIMARY KEY("import_id","line")
);--> statement-breakpoint
CREATE TABLE "imports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"user_id" integer NOT NULL,
	"file_name" text NOT NULL,
	"size" integer NOT NULL,
	"titles" text[] NOT NULL,
	"columns" jsonb NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"lines" integer NOT NULL,
	"state" text DEFAULT 'mapping' NOT NULL,
	"round" integer DEFAULT 0 NOT NULL,
	"reached" integer DEFAULT 0 NOT NULL,
	"fresh" integer DEFAULT 0 NOT NULL,
	"known" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"made" integer DEFAULT 0 NOT NULL,
	"removed" integer DEFAULT 0 NOT NULL,
	"kept" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	"undone_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "lead_batch_rows" (
	"batch_id" integer NOT NULL,
	"place" integer NOT NULL,
	"lead_id" integer NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"version" integer,
	"reason" text,
	"undone_version" integer,
	"kept_reason" text,
	CONSTRAINT "lead_batch_rows_batch_id_place_pk" PRIMARY KEY("batch_id","place")
);--> statement-breakpoint
CREATE TABLE "lead_batches" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lead_batches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"action" text NOT NULL,
	"value" jsonb,
	"state" text DEFAULT 'queued' NOT NULL,
	"undoing" boolean DEFAULT false NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	"undone_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "custom_sources" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "custom_sources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"clientsite_id" integer NOT NULL,
	"preset" text,
	"mapping" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"key" "bytea",
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "inbound_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inbound_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider" text NOT NULL,
	"clientsite_id" integer,
	"source_id" integer,
	"headers" jsonb NOT NULL,
	"body" "bytea" NOT NULL,
	"state" text DEFAULT 'stored' NOT NULL,
	"reason" text,
	"lead_id" integer,
	"reconciled_as" text,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"processed_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "replayed_journals" (
	"name" text PRIMARY KEY NOT NULL,
	"replayed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "mails" (
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"lead_id" integer NOT NULL,
	"campaign_id" integer DEFAULT 0 NOT NULL,
	"kind" text NOT NULL,
	"client_id" integer,
	"recipients" text[] NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"error" text,
	"requested_by" integer,
	"again_of" integer,
	"relay_answer" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"handed_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "mails_id_campaign_id_pk" PRIMARY KEY("id","campaign_id")
);--> statement-breakpoint
CREATE TABLE "leads" (
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "leads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"campaign_id" integer DEFAULT 0 NOT NULL,
	"clientsite_id" integer,
	"lead_s" text NOT NULL,
	"lead_id" text NOT NULL,
	"origin" text DEFAULT '' NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"lead_type" text NOT NULL,
	"lead_name" text,
	"lead_location" text,
	"lead_email" text,
	"lead_phone" text,
	"phone_key" text,
	"email_key" text GENERATED ALWAYS AS (lower(lead_email)) STORED,
	"phone_shared" boolean DEFAULT false NOT NULL,
	"email_shared" boolean DEFAULT false NOT NULL,
	"message" text,
	"notes" text,
	"duration" integer,
	"answered" boolean,
	"voicemail" boolean DEFAULT false NOT NULL,
	"call_type" text,
	"recording_url" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"tag_causes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"spam_mark" jsonb,
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
	"unconfirmed_rating" smallint,
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
	"erased_at" timestamp (3) with time zone,
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
	CONSTRAINT "leads_id_campaign_id_pk" PRIMARY KEY("id","campaign_id"),
	CONSTRAINT "leads_lead_type" CHECK ("leads"."lead_type" in ('Form', 'Call')),
	CONSTRAINT "leads_lead_s" CHECK ("leads"."lead_s" in ('Callrail', 'Formidable', 'Other')),
	CONSTRAINT "leads_progress" CHECK ("leads"."client_progress" between 1 and 5),
	CONSTRAINT "leads_rating" CHECK ("leads"."rating" between 1 and 5)
);--> statement-breakpoint
CREATE TABLE "rating_keys" (
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "rating_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"lead_id" integer NOT NULL,
	"campaign_id" integer DEFAULT 0 NOT NULL,
	"mail_id" integer,
	"key_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"scanned_at" timestamp (3) with time zone,
	CONSTRAINT "rating_keys_id_campaign_id_pk" PRIMARY KEY("id","campaign_id")
);--> statement-breakpoint
CREATE TABLE "rating_saves" (
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "rating_saves_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key_id" integer NOT NULL,
	"lead_id" integer NOT NULL,
	"campaign_id" integer DEFAULT 0 NOT NULL,
	"auto" boolean NOT NULL,
	"choice" text,
	"outcome" text NOT NULL,
	"rating_before" smallint,
	"unconfirmed_before" smallint,
	"progress_before" smallint,
	"via_before" text,
	"address" text,
	"user_agent" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "rating_saves_id_campaign_id_pk" PRIMARY KEY("id","campaign_id")
);--> statement-breakpoint
CREATE TABLE "callrail_reconciliation" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"until" timestamp (3) with time zone,
	"ran_at" timestamp (3) with time zone NOT NULL,
	"outcome" text NOT NULL,
	"error" text,
	CONSTRAINT "callrail_reconciliation_one_row" CHECK ("callrail_reconciliation"."id" = 1)
);--> statement-breakpoint
CREATE TABLE "blacklist" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "blacklist_one_row" CHECK ("blacklist"."id" = 1)
);--> statement-breakpoint
CREATE TABLE "spammers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "spammers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"phone" text,
	"phone_key" text,
	"email" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	CONSTRAINT "spammers_phone_or_email" CHECK ("spammers"."phone" is not null or "spammers"."email" is not null)
);--> statement-breakpoint
CREATE TABLE "blacklist_keywords" (
	"id" integer PRIMARY KEY DEFAULT nextval('spammers_id_seq') NOT NULL,
	"keyword" text NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now(),
	"created_by" integer
);--> statement-breakpoint
CREATE TABLE "rule_hits" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rule_hits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"rule_id" integer NOT NULL,
	"lead_id" integer NOT NULL,
	"hit_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "lead_changes" (
	"campaign_id" integer NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"archived" boolean NOT NULL,
	"facets" integer NOT NULL,
	"missed" boolean NOT NULL,
	"number" integer NOT NULL,
	"client_value" numeric(18, 2),
	"client_profit" numeric(18, 2)
);--> statement-breakpoint
CREATE TABLE "lead_sums" (
	"campaign_id" integer NOT NULL,
	"period" integer NOT NULL,
	"archived" boolean NOT NULL,
	"hide" boolean NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"missed" integer DEFAULT 0 NOT NULL,
	"lead_type_1" integer DEFAULT 0 NOT NULL,
	"lead_type_2" integer DEFAULT 0 NOT NULL,
	"answering_status_1" integer DEFAULT 0 NOT NULL,
	"answering_status_2" integer DEFAULT 0 NOT NULL,
	"answering_status_3" integer DEFAULT 0 NOT NULL,
	"answering_status_4" integer DEFAULT 0 NOT NULL,
	"client_progress_1" integer DEFAULT 0 NOT NULL,
	"client_progress_2" integer DEFAULT 0 NOT NULL,
	"client_progress_3" integer DEFAULT 0 NOT NULL,
	"client_progress_4" integer DEFAULT 0 NOT NULL,
	"client_progress_5" integer DEFAULT 0 NOT NULL,
	"source_1" integer DEFAULT 0 NOT NULL,
	"source_2" integer DEFAULT 0 NOT NULL,
	"source_3" integer DEFAULT 0 NOT NULL,
	"source_4" integer DEFAULT 0 NOT NULL,
	"source_5" integer DEFAULT 0 NOT NULL,
	"source_6" integer DEFAULT 0 NOT NULL,
	"confirmed" integer DEFAULT 0 NOT NULL,
	"unmarked" integer DEFAULT 0 NOT NULL,
	"first_call" integer DEFAULT 0 NOT NULL,
	"voicemail" integer DEFAULT 0 NOT NULL,
	"voicemail_issues" integer DEFAULT 0 NOT NULL,
	"value" integer DEFAULT 0 NOT NULL,
	"value_sum" numeric(18, 2) DEFAULT '0' NOT NULL,
	"profit" integer DEFAULT 0 NOT NULL,
	"profit_sum" numeric(18, 2) DEFAULT '0' NOT NULL,
	"won_value" integer DEFAULT 0 NOT NULL,
	"won_value_sum" numeric(18, 2) DEFAULT '0' NOT NULL,
	"won_profit" integer DEFAULT 0 NOT NULL,
	"won_profit_sum" numeric(18, 2) DEFAULT '0' NOT NULL,
	"rating" integer DEFAULT 0 NOT NULL,
	"rating_sum" integer DEFAULT 0 NOT NULL,
	"no_feedback" integer DEFAULT 0 NOT NULL,
	"not_rated" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "lead_sums_campaign_id_period_archived_hide_pk" PRIMARY KEY("campaign_id","period","archived","hide")
);--> statement-breakpoint
CREATE TABLE "lead_sums_zone" (
	"zone" text PRIMARY KEY NOT NULL
);--> statement-breakpoint
CREATE TABLE "campaign_gmb_logs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "campaign_gmb_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmb_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed" text NOT NULL,
	"old" text,
	"new" text,
	"username" text
);--> statement-breakpoint
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
	"cid" text GENERATED ALWAYS AS (substring(link from '[?&]cid=([0-9]{15,20})(?![0-9])')) STORED,
	"review_link" text,
	"status" smallint NOT NULL,
	"client_owned" boolean DEFAULT false NOT NULL,
	"is_client_location" boolean DEFAULT false NOT NULL,
	"notes" text,
	"suspended_at" timestamp (3) with time zone,
	"changed" boolean DEFAULT false NOT NULL,
	"changed_at" timestamp (3) with time zone,
	"changed_fields" text[] DEFAULT '{}' NOT NULL,
	"seen" jsonb,
	"seen_by" text,
	"standing" text,
	"seen_at" timestamp (3) with time zone,
	"missed_at" timestamp (3) with time zone,
	"gone_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"check_problem" text,
	"check_asked_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"reviews_count" integer,
	"latitude" double precision,
	"longitude" double precision,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "campaign_gmbs_status" CHECK ("campaign_gmbs"."status" between 1 and 5)
);--> statement-breakpoint
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
);--> statement-breakpoint
CREATE TABLE "google_categories" (
	"region_code" text NOT NULL,
	"name" text NOT NULL,
	"display_name" text NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "google_categories_region_code_name_pk" PRIMARY KEY("region_code","name")
);--> statement-breakpoint
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
);--> statement-breakpoint
CREATE TABLE "google_link_states" (
	"state_hash" "bytea" PRIMARY KEY NOT NULL,
	"session_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
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
);--> statement-breakpoint
CREATE TABLE "messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"user_id" integer,
	"dedupe_key" text NOT NULL,
	"content" "bytea",
	"state" text DEFAULT 'queued' NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"sending_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "messages_dedupe_key_unique" UNIQUE("dedupe_key")
);--> statement-breakpoint
CREATE TABLE "client_reports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "client_reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer NOT NULL,
	"period" text NOT NULL,
	"day" date NOT NULL,
	"from" date NOT NULL,
	"to" date NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "client_reports_key_hash_unique" UNIQUE("key_hash")
);--> statement-breakpoint
CREATE TABLE "report_schedules" (
	"client_id" integer PRIMARY KEY NOT NULL,
	"every" text,
	"day" smallint NOT NULL,
	"hour" smallint NOT NULL,
	"skip_empty" boolean DEFAULT false NOT NULL,
	"set_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "report_schedules_day" CHECK ("report_schedules"."day" between 0 and 31),
	CONSTRAINT "report_schedules_hour" CHECK ("report_schedules"."hour" between 0 and 23)
);--> statement-breakpoint
CREATE TABLE "scheduled_reports" (
	"client_id" integer NOT NULL,
	"every" text NOT NULL,
	"from" date NOT NULL,
	"report_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "scheduled_reports_client_id_every_from_pk" PRIMARY KEY("client_id","every","from")
);--> statement-breakpoint
CREATE TABLE "signal_findings" (
	"kind" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"subject_label" text NOT NULL,
	"campaign_id" integer,
	"title" text NOT NULL,
	"severity" text NOT NULL,
	"evidence" jsonb NOT NULL,
	"found_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "signal_findings_kind_subject_type_subject_id_pk" PRIMARY KEY("kind","subject_type","subject_id")
);--> statement-breakpoint
CREATE TABLE "signal_notices" (
	"signal_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"stage" integer NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "signal_notices_signal_id_user_id_stage_pk" PRIMARY KEY("signal_id","user_id","stage")
);--> statement-breakpoint
CREATE TABLE "signals" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "signals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"detected_kind" text NOT NULL,
	"severity" text NOT NULL,
	"title" text NOT NULL,
	"campaign_id" integer,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"subject_label" text NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"evidence" jsonb NOT NULL,
	"closing_evidence" jsonb,
	"expected_lost" jsonb,
	"stage" integer DEFAULT 0 NOT NULL,
	"claimed_by" integer,
	"muted_until" timestamp (3) with time zone,
	"parent_id" integer,
	"task_id" integer,
	"probed_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "task_notices" (
	"item_id" integer NOT NULL,
	"assignee_id" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "task_notices_item_id_assignee_id_pk" PRIMARY KEY("item_id","assignee_id")
);--> statement-breakpoint
CREATE TABLE "user_watches" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"watches" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"webhook_url" "bytea",
	"webhook_problem" text,
	"digest_day" date,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "network_categories" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "network_categories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "spoken_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "client_site_logs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "client_site_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"status" smallint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "client_sites" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "client_sites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"campaign_id" integer,
	"callrail_campaign_identifier" text,
	"callrail_signing_key" "bytea",
	"hook_key" "bytea",
	"domain" text,
	"url" text NOT NULL,
	"host" text GENERATED ALWAYS AS (lower(substring(url from '^[a-zA-Z]+://(?:[^/?#@]*@)?(?:[wW]{3}\.)?(\[[^]]*\]|[^/:?#]+)'))) STORED,
	"status" smallint,
	"http_status_code" smallint,
	"redirect_url" text,
	"ip" text,
	"tls_expires_at" timestamp (3) with time zone,
	"blocked" boolean DEFAULT false NOT NULL,
	"problem" text,
	"misses" smallint DEFAULT 0 NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "ips" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ips_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"ip" text NOT NULL,
	"reverse_ip" text,
	"owner" text,
	"country" text,
	"region" text,
	"looked_up_at" timestamp (3) with time zone,
	"next_look_up_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ips_ip_unique" UNIQUE("ip")
);--> statement-breakpoint
CREATE TABLE "outgoing_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outgoing_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"network_site_id" integer NOT NULL,
	"url" text NOT NULL,
	"host" text NOT NULL,
	"anchor" text,
	"rel" text,
	"type" text,
	"page" text NOT NULL,
	"key" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"lost_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "network_site_logs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "network_site_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"status" smallint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "network_sites" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "network_sites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"category_id" integer NOT NULL,
	"domain" text,
	"url" text NOT NULL,
	"host" text GENERATED ALWAYS AS (lower(substring(url from '^[a-zA-Z]+://(?:[^/?#@]*@)?(?:[wW]{3}\.)?(\[[^]]*\]|[^/:?#]+)'))) STORED,
	"status" smallint,
	"http_status_code" smallint,
	"redirect_url" text,
	"ip" text,
	"tls_expires_at" timestamp (3) with time zone,
	"blocked" boolean DEFAULT false NOT NULL,
	"problem" text,
	"misses" smallint DEFAULT 0 NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_google_index" timestamp (3) with time zone,
	"google_asked_at" timestamp (3) with time zone,
	"crawled_at" timestamp (3) with time zone,
	"next_crawl_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"outgoing_links_parsing_error" text,
	"outgoing_links_parsing_failed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "redirect_domains" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "redirect_domains_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"domain" text NOT NULL,
	"redirect_url" text NOT NULL,
	"registered_domain" text,
	"domainkey" text NOT NULL,
	"live_status" smallint,
	"next_check_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "redirect_domains_domain_unique" UNIQUE("domain")
);--> statement-breakpoint
CREATE TABLE "redirect_tasks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "redirect_tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"domain" text NOT NULL,
	"redirect_url" text NOT NULL,
	"redirect_domain_id" integer,
	"state" text DEFAULT 'running' NOT NULL,
	"steps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"was_there" boolean DEFAULT false NOT NULL,
	"error" text,
	"user_id" integer,
	"username" text,
	"request_id" text,
	"address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "registrations" (
	"domain" text PRIMARY KEY NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "registrations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"registrar" text,
	"registrant" text,
	"registered_on" date,
	"expires_on" date,
	"nameservers" text[] DEFAULT '{}' NOT NULL,
	"told_by" text,
	"looked_up_at" timestamp (3) with time zone,
	"next_look_up_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"failures" smallint DEFAULT 0 NOT NULL,
	"problem" text,
	CONSTRAINT "registrations_id_unique" UNIQUE("id")
);--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"message" integer NOT NULL,
	"webhook_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"attempt" integer NOT NULL,
	"status" integer,
	"answer" text NOT NULL,
	"ms" integer NOT NULL
);--> statement-breakpoint
CREATE TABLE "webhook_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"webhook_id" integer NOT NULL,
	"message_id" text NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhooks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" "bytea",
	"active" boolean DEFAULT true NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_links" ADD CONSTRAINT "password_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remote_tokens" ADD CONSTRAINT "remote_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_viewer_id_users_id_fk" FOREIGN KEY ("viewer_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_viewer_session" FOREIGN KEY ("viewer_session") REFERENCES "public"."sessions"("token_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_campaigns" ADD CONSTRAINT "user_campaigns_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_campaigns" ADD CONSTRAINT "user_campaigns_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD CONSTRAINT "totp_secrets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "default_views" ADD CONSTRAINT "default_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "default_views" ADD CONSTRAINT "default_views_view_id_views_id_fk" FOREIGN KEY ("view_id") REFERENCES "public"."views"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "views" ADD CONSTRAINT "views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_item_files" ADD CONSTRAINT "activity_item_files_item_id_activity_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."activity_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_item_files" ADD CONSTRAINT "activity_item_files_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_items" ADD CONSTRAINT "activity_items_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_items" ADD CONSTRAINT "activity_items_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_items" ADD CONSTRAINT "activity_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_items" ADD CONSTRAINT "activity_items_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_statement" FOREIGN KEY ("campaign_id","from_day") REFERENCES "public"."statements"("campaign_id","from_day") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_refers_to" FOREIGN KEY ("campaign_id","refers_to") REFERENCES "public"."statements"("campaign_id","from_day") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_sent_by_users_id_fk" FOREIGN KEY ("sent_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_terms" ADD CONSTRAINT "campaign_terms_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_areas" ADD CONSTRAINT "campaign_areas_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_category_links" ADD CONSTRAINT "campaign_category_links_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_category_links" ADD CONSTRAINT "campaign_category_links_category_id_campaign_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."campaign_categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_files" ADD CONSTRAINT "import_files_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_problems" ADD CONSTRAINT "import_problems_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_refused" ADD CONSTRAINT "import_refused_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_batch_rows" ADD CONSTRAINT "lead_batch_rows_batch_id_lead_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."lead_batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_batches" ADD CONSTRAINT "lead_batches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_sources" ADD CONSTRAINT "custom_sources_clientsite_id_client_sites_id_fk" FOREIGN KEY ("clientsite_id") REFERENCES "public"."client_sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_events" ADD CONSTRAINT "inbound_events_clientsite_id_client_sites_id_fk" FOREIGN KEY ("clientsite_id") REFERENCES "public"."client_sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_events" ADD CONSTRAINT "inbound_events_source_id_custom_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."custom_sources"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_lead_id_campaign_id_leads_id_campaign_id_fk" FOREIGN KEY ("lead_id","campaign_id") REFERENCES "public"."leads"("id","campaign_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_clientsite_id_client_sites_id_fk" FOREIGN KEY ("clientsite_id") REFERENCES "public"."client_sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rating_keys" ADD CONSTRAINT "rating_keys_lead_id_campaign_id_leads_id_campaign_id_fk" FOREIGN KEY ("lead_id","campaign_id") REFERENCES "public"."leads"("id","campaign_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "rating_keys" ADD CONSTRAINT "rating_keys_mail_id_campaign_id_mails_id_campaign_id_fk" FOREIGN KEY ("mail_id","campaign_id") REFERENCES "public"."mails"("id","campaign_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "rating_saves" ADD CONSTRAINT "rating_saves_lead_id_campaign_id_leads_id_campaign_id_fk" FOREIGN KEY ("lead_id","campaign_id") REFERENCES "public"."leads"("id","campaign_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "rating_saves" ADD CONSTRAINT "rating_saves_key_id_campaign_id_rating_keys_id_campaign_id_fk" FOREIGN KEY ("key_id","campaign_id") REFERENCES "public"."rating_keys"("id","campaign_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "blacklist_keywords" ADD CONSTRAINT "blacklist_keywords_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spammers" ADD CONSTRAINT "spammers_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_gmb_logs" ADD CONSTRAINT "campaign_gmb_logs_gmb_id_campaign_gmbs_id_fk" FOREIGN KEY ("gmb_id") REFERENCES "public"."campaign_gmbs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_gmbs" ADD CONSTRAINT "campaign_gmbs_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "google_accounts" ADD CONSTRAINT "google_accounts_linked_by_users_id_fk" FOREIGN KEY ("linked_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "google_edits" ADD CONSTRAINT "google_edits_location_id_google_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."google_locations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "google_link_states" ADD CONSTRAINT "google_link_states_session_hash_sessions_token_hash_fk" FOREIGN KEY ("session_hash") REFERENCES "public"."sessions"("token_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "google_locations" ADD CONSTRAINT "google_locations_account_id_google_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."google_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_reports" ADD CONSTRAINT "client_reports_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_reports" ADD CONSTRAINT "client_reports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_reports" ADD CONSTRAINT "scheduled_reports_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_reports" ADD CONSTRAINT "scheduled_reports_report_id_client_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."client_reports"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signal_findings" ADD CONSTRAINT "signal_findings_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signal_notices" ADD CONSTRAINT "signal_notices_signal_id_signals_id_fk" FOREIGN KEY ("signal_id") REFERENCES "public"."signals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signal_notices" ADD CONSTRAINT "signal_notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signals" ADD CONSTRAINT "signals_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signals" ADD CONSTRAINT "signals_claimed_by_users_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signals" ADD CONSTRAINT "signals_parent_id_signals_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."signals"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signals" ADD CONSTRAINT "signals_task_id_activity_items_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."activity_items"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_notices" ADD CONSTRAINT "task_notices_item_id_activity_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."activity_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_notices" ADD CONSTRAINT "task_notices_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_watches" ADD CONSTRAINT "user_watches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_site_logs" ADD CONSTRAINT "client_site_logs_site_id_client_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."client_sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_sites" ADD CONSTRAINT "client_sites_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_links" ADD CONSTRAINT "outgoing_links_network_site_id_network_sites_id_fk" FOREIGN KEY ("network_site_id") REFERENCES "public"."network_sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_site_logs" ADD CONSTRAINT "network_site_logs_site_id_network_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."network_sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_sites" ADD CONSTRAINT "network_sites_category_id_network_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."network_categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_message_webhook_messages_id_fk" FOREIGN KEY ("message") REFERENCES "public"."webhook_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_row" ON "audit" USING btree ("kind","row_id","id");--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_timeline" ON "audit" USING btree ("kind","row_id","at","id") WHERE kind <> 'lead';--> statement-breakpoint
CREATE INDEX "happenings_subject" ON "happenings" USING btree ("subject_type","subject_id","id");--> statement-breakpoint
CREATE INDEX "happenings_campaign" ON "happenings" USING btree ("campaign_id","at","id");--> statement-breakpoint
CREATE INDEX "happenings_events" ON "happenings" USING btree ("campaign_id","at","id","kind") WHERE (kind in ('registration', 'site_ip', 'site_certificate', 'google_location', 'link_found', 'link_lost')
  and (kind = 'link_found' or before is not null) and not (kind = 'site_ip' and before ->> 'ip' is null));--> statement-breakpoint
CREATE INDEX "happenings_at" ON "happenings" USING btree ("at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "password_links_user" ON "password_links" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "password_links_open" ON "password_links" USING btree ("expires_at") WHERE "password_links"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "password_requests_address" ON "password_requests" USING btree ("address","at");--> statement-breakpoint
CREATE UNIQUE INDEX "remote_tokens_hash" ON "remote_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_viewer" ON "sessions" USING btree ("viewer_session") WHERE "sessions"."viewer_session" is not null;--> statement-breakpoint
CREATE INDEX "sign_in_failures_account" ON "sign_in_failures" USING btree ("account","at");--> statement-breakpoint
CREATE INDEX "sign_in_failures_address" ON "sign_in_failures" USING btree ("address","at");--> statement-breakpoint
CREATE INDEX "user_campaigns_campaign" ON "user_campaigns" USING btree ("campaign_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username" ON "users" USING btree (lower("username")) WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email")) WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_client" ON "users" USING btree ("client_id") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "passkey_challenges_user" ON "passkey_challenges" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkey_challenges_expiry" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_challenges_user" ON "sign_in_challenges" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_challenges_expiry" ON "sign_in_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "oidc_states_expiry" ON "oidc_states" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "default_views_view" ON "default_views" USING btree ("view_id");--> statement-breakpoint
CREATE INDEX "views_user" ON "views" USING btree ("user_id","table");--> statement-breakpoint
CREATE INDEX "views_shared" ON "views" USING btree ("table","shared");--> statement-breakpoint
CREATE INDEX "files_user" ON "files" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "files_created" ON "files" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "activity_item_files_file" ON "activity_item_files" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "activity_items_date" ON "activity_items" USING btree ("date","id") WHERE "activity_items"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "activity_items_campaign" ON "activity_items" USING btree ("campaign_id","date") WHERE "activity_items"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "activity_items_team" ON "activity_items" USING btree ("team_id","date") WHERE "activity_items"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "activity_items_assignee" ON "activity_items" USING btree ("assignee_id","date") WHERE "activity_items"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "activity_items_open_tasks" ON "activity_items" USING btree ("date") WHERE "activity_items"."is_task" and not "activity_items"."is_done" and "activity_items"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "erasures_at" ON "erasures" USING btree ("at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_one_open" ON "disputes" USING btree ("lead_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "disputes_lead" ON "disputes" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "disputes_campaign" ON "disputes" USING btree ("campaign_id","state","opened_at");--> statement-breakpoint
CREATE UNIQUE INDEX "statement_lines_once" ON "statement_lines" USING btree ("campaign_id","from_day",coalesce("lead_id", 0),coalesce("refers_to", '-infinity'::date));--> statement-breakpoint
CREATE INDEX "zip_codes_centre" ON "zip_codes" USING gist ("centre");--> statement-breakpoint
CREATE INDEX "campaign_category_links_category" ON "campaign_category_links" USING btree ("category_id");--> statement-breakpoint
CREATE INDEX "campaigns_client" ON "campaigns" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "clients_by_name" ON "clients" USING btree (lower("name"),"id") WHERE "clients"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "import_problems_lines" ON "import_problems" USING btree ("import_id","kind","line","id");--> statement-breakpoint
CREATE INDEX "imports_created" ON "imports" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "imports_user" ON "imports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "lead_batch_rows_lead" ON "lead_batch_rows" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "lead_batches_user" ON "lead_batches" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "custom_sources_key" ON "custom_sources" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "custom_sources_site" ON "custom_sources" USING btree ("clientsite_id");--> statement-breakpoint
CREATE INDEX "inbound_events_waiting" ON "inbound_events" USING btree ("id") WHERE state = 'stored';--> statement-breakpoint
CREATE INDEX "inbound_events_quarantine" ON "inbound_events" USING btree ("id") WHERE state = 'quarantined';--> statement-breakpoint
CREATE INDEX "inbound_events_lead" ON "inbound_events" USING btree ("lead_id") WHERE lead_id is not null;--> statement-breakpoint
CREATE INDEX "inbound_events_source" ON "inbound_events" USING btree ("source_id","id") WHERE source_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_events_reconciled_as" ON "inbound_events" USING btree ("reconciled_as") WHERE reconciled_as is not null;--> statement-breakpoint
CREATE INDEX "inbound_events_reconciled" ON "inbound_events" USING btree ("received_at") WHERE reconciled_as is not null;--> statement-breakpoint
CREATE INDEX "mails_lead" ON "mails" USING btree ("lead_id","id");--> statement-breakpoint
CREATE INDEX "mails_campaign" ON "mails" USING btree ("campaign_id","id");--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("id") WHERE state in ('refused', 'uncertain');--> statement-breakpoint
CREATE INDEX "mails_open" ON "mails" USING btree ("state") WHERE state in ('queued', 'handing');--> statement-breakpoint
CREATE UNIQUE INDEX "leads_provider" ON "leads" USING btree ("lead_s","lead_id","origin");--> statement-breakpoint
CREATE INDEX "leads_related_phone" ON "leads" USING btree ("phone_key","campaign_id","hide","id") WHERE phone_key is not null;--> statement-breakpoint
CREATE INDEX "leads_related_email" ON "leads" USING btree ("email_key","campaign_id","hide","id") WHERE email_key is not null;--> statement-breakpoint
CREATE INDEX "leads_counted" ON "leads" USING btree ("campaign_id","occurred_at","facets") WHERE not archived and (confirmed or tags && array['Missed Call', 'Auto Missed Call']);--> statement-breakpoint
CREATE INDEX "leads_site" ON "leads" USING btree ("clientsite_id","lead_s","occurred_at");--> statement-breakpoint
CREATE UNIQUE INDEX "rating_keys_hash" ON "rating_keys" USING btree ("key_hash","campaign_id");--> statement-breakpoint
CREATE INDEX "rating_keys_lead" ON "rating_keys" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "rating_saves_key" ON "rating_saves" USING btree ("key_id","at");--> statement-breakpoint
CREATE INDEX "rating_saves_lead" ON "rating_saves" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "blacklist_keywords_created" ON "blacklist_keywords" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "rule_hits_rule" ON "rule_hits" USING btree ("rule_id","hit_at");--> statement-breakpoint
CREATE INDEX "spammers_phone" ON "spammers" USING btree ("phone_key");--> statement-breakpoint
CREATE INDEX "spammers_email" ON "spammers" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "campaign_gmb_logs_gmb" ON "campaign_gmb_logs" USING btree ("gmb_id","created_at","id");--> statement-breakpoint
CREATE INDEX "campaign_gmbs_campaign" ON "campaign_gmbs" USING btree ("campaign_id") WHERE "campaign_gmbs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "campaign_gmbs_by_title" ON "campaign_gmbs" USING btree (lower("title"),"id") WHERE "campaign_gmbs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "campaign_gmbs_place" ON "campaign_gmbs" USING btree ("latitude","longitude") WHERE "campaign_gmbs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "campaign_gmbs_cid" ON "campaign_gmbs" USING btree ("cid") WHERE "campaign_gmbs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "campaign_gmbs_due" ON "campaign_gmbs" USING btree ("next_check_at") WHERE "campaign_gmbs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "campaign_gmbs_asked" ON "campaign_gmbs" USING btree ("check_asked_at") WHERE "campaign_gmbs"."check_asked_at" is not null;--> statement-breakpoint
CREATE INDEX "google_edits_open" ON "google_edits" USING btree ("location_id","id") WHERE state in ('waiting', 'sending', 'failed');--> statement-breakpoint
CREATE INDEX "google_edits_sent" ON "google_edits" USING btree ("location_id","sent_at");--> statement-breakpoint
CREATE INDEX "google_link_states_session" ON "google_link_states" USING btree ("session_hash");--> statement-breakpoint
CREATE INDEX "google_locations_by_title" ON "google_locations" USING btree (lower("title"),"id");--> statement-breakpoint
CREATE INDEX "google_locations_cid" ON "google_locations" USING btree ("cid");--> statement-breakpoint
CREATE INDEX "google_locations_account" ON "google_locations" USING btree ("account_id","seen_at");--> statement-breakpoint
CREATE INDEX "google_locations_searchable" ON "google_locations" USING gin ("searchable" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "messages_open" ON "messages" USING btree ("state") WHERE state in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX "messages_user" ON "messages" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "client_reports_client" ON "client_reports" USING btree ("client_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "signals_open" ON "signals" USING btree ("detected_kind","subject_type","subject_id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "signals_open_campaign" ON "signals" USING btree ("campaign_id","id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "signals_closed" ON "signals" USING btree ("closed_at","id") WHERE closed_at is not null;--> statement-breakpoint
CREATE INDEX "signals_closed_campaign" ON "signals" USING btree ("campaign_id","closed_at") WHERE closed_at is not null;--> statement-breakpoint
CREATE INDEX "signals_subject" ON "signals" USING btree ("subject_type","subject_id","id");--> statement-breakpoint
CREATE INDEX "signals_claimed" ON "signals" USING btree ("claimed_by") WHERE claimed_by is not null;--> statement-breakpoint
CREATE INDEX "signals_parent" ON "signals" USING btree ("parent_id") WHERE parent_id is not null;--> statement-breakpoint
CREATE INDEX "signals_task" ON "signals" USING btree ("task_id") WHERE task_id is not null;--> statement-breakpoint
CREATE INDEX "client_site_logs_site" ON "client_site_logs" USING btree ("site_id","created_at","id","status");--> statement-breakpoint
CREATE INDEX "client_sites_campaign" ON "client_sites" USING btree ("campaign_id");--> statement-breakpoint
CREATE UNIQUE INDEX "client_sites_callrail" ON "client_sites" USING btree ("callrail_campaign_identifier") WHERE "client_sites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "client_sites_due" ON "client_sites" USING btree ("next_check_at") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "client_sites_domain" ON "client_sites" USING btree ("domain") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "client_sites_ip" ON "client_sites" USING btree ("ip") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "client_sites_host" ON "client_sites" USING btree ("host") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "ips_due" ON "ips" USING btree ("next_look_up_at");--> statement-breakpoint
CREATE INDEX "ips_order" ON "ips" USING btree ((ip::inet));--> statement-breakpoint
CREATE UNIQUE INDEX "outgoing_links_key" ON "outgoing_links" USING btree ("network_site_id","key");--> statement-breakpoint
CREATE INDEX "outgoing_links_url" ON "outgoing_links" USING btree ("url","id");--> statement-breakpoint
CREATE INDEX "outgoing_links_host" ON "outgoing_links" USING btree ("host","network_site_id");--> statement-breakpoint
CREATE INDEX "outgoing_links_lost" ON "outgoing_links" USING btree ("host","lost_at","id") WHERE lost_at is not null;--> statement-breakpoint
CREATE INDEX "outgoing_links_search" ON "outgoing_links" USING gin ((url || ' ' || coalesce(anchor, '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "network_site_logs_site" ON "network_site_logs" USING btree ("site_id","created_at","id");--> statement-breakpoint
CREATE INDEX "network_sites_category" ON "network_sites" USING btree ("category_id");--> statement-breakpoint
CREATE INDEX "network_sites_due" ON "network_sites" USING btree ("next_check_at");--> statement-breakpoint
CREATE INDEX "network_sites_crawl" ON "network_sites" USING btree ("next_crawl_at");--> statement-breakpoint
CREATE INDEX "network_sites_ip" ON "network_sites" USING btree ("ip");--> statement-breakpoint
CREATE INDEX "network_sites_host" ON "network_sites" USING btree ("host");--> statement-breakpoint
CREATE INDEX "network_sites_domain" ON "network_sites" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "network_sites_url" ON "network_sites" USING btree ("url","id");--> statement-breakpoint
CREATE INDEX "redirect_domains_due" ON "redirect_domains" USING btree ("next_check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "redirect_tasks_running" ON "redirect_tasks" USING btree ("domain") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "redirect_tasks_made" ON "redirect_tasks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "registrations_due" ON "registrations" USING btree ("next_look_up_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_message" ON "webhook_deliveries" USING btree ("message");--> statement-breakpoint
CREATE INDEX "webhook_messages_due" ON "webhook_messages" USING btree ("webhook_id","due_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_messages_subject" ON "webhook_messages" USING btree ("webhook_id","subject","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_messages_over" ON "webhook_messages" USING btree ("created_at") WHERE state <> 'waiting';--> statement-breakpoint
CREATE INDEX "webhooks_user" ON "webhooks" USING btree ("user_id");--> statement-breakpoint
-- What follows drizzle-kit cannot express; test/schema.test.ts lists it.
-- The lists of leads and their deep pages; the included columns let the statistics be one index-only scan.
CREATE INDEX "leads_list" ON "leads" ("occurred_at" DESC, "id" DESC) INCLUDE ("campaign_id", "facets", "client_value", "client_profit") WHERE not archived;--> statement-breakpoint
CREATE INDEX "leads_archive" ON "leads" ("occurred_at" DESC, "id" DESC) INCLUDE ("campaign_id", "facets", "client_value", "client_profit") WHERE archived;--> statement-breakpoint
CREATE INDEX "leads_campaign" ON "leads" ("campaign_id", "occurred_at" DESC, "id" DESC) INCLUDE ("archived", "facets", "client_value", "client_profit");--> statement-breakpoint
-- Related leads across campaigns, in the order of the list. It holds all that their number is counted from, also for those who
-- see only some campaigns.
CREATE INDEX "leads_shared" ON "leads" ("occurred_at" DESC, "id" DESC) INCLUDE ("campaign_id", "phone_key", "email_key") WHERE phone_shared or email_shared;--> statement-breakpoint
CREATE INDEX "leads_tags" ON "leads" USING gin ("tags") WHERE tags <> '{}';--> statement-breakpoint
-- Every word of a search is a substring of search_text. With the week in the same index a search within a month reads only that
-- month's part of each word's list. src/domains/leads/model/search-weeks.ts spells the week the same way.
CREATE INDEX "leads_search" ON "leads" USING gin ((array[floor(extract(epoch from occurred_at at time zone 'UTC') / 604800)::int]), "search_text" gin_trgm_ops);--> statement-breakpoint
-- How many leads each test of the facets finds (src/domains/leads/filters.ts). Without these the planner takes every one of them for
-- a two-hundredth of the table, and sorts half of it where walking the index would do.
CREATE STATISTICS "leads_facets_1" ON (("facets" & 1)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_14" ON (("facets" & 14)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_112" ON (("facets" & 112)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_896" ON (("facets" & 896)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_1024" ON (("facets" & 1024)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_2048" ON (("facets" & 2048)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_4096" ON (("facets" & 4096)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_8192" ON (("facets" & 8192)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_16384" ON (("facets" & 16384)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_32768" ON (("facets" & 32768)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_65536" ON (("facets" & 65536)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_32880" ON (("facets" & 32880)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_65648" ON (("facets" & 65648)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_917504" ON (("facets" & 917504)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_1048576" ON (("facets" & 1048576)) FROM "leads";--> statement-breakpoint
CREATE STATISTICS "leads_facets_2097152" ON (("facets" & 2097152)) FROM "leads";--> statement-breakpoint
-- A page that is not known to be visible to all costs an index-only scan a look into the table, and the newest leads are
-- the ones that every list counts: vacuum after a thousand of them, not after a fifth of the table.
ALTER TABLE "leads" SET (autovacuum_vacuum_insert_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);--> statement-breakpoint
-- Emptied every minute, and read by every list in between.
ALTER TABLE "lead_changes" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "lead_sums" SET (fillfactor = 80);--> statement-breakpoint
INSERT INTO "blacklist" ("id") VALUES (1);--> statement-breakpoint
-- Open event streams read a person's rights again as soon as they change, in whichever process and by whichever statement.
CREATE FUNCTION notify_rights_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
BEGIN
  PERFORM pg_notify('leadline_rights', coalesce(changed ->> TG_ARGV[0], ''));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER users_rights AFTER UPDATE OF role, permissions, is_active, client_id, deleted_at ON users
  FOR EACH ROW WHEN ((OLD.role, OLD.permissions, OLD.is_active, OLD.client_id, OLD.deleted_at) IS DISTINCT FROM
    (NEW.role, NEW.permissions, NEW.is_active, NEW.client_id, NEW.deleted_at))
  EXECUTE FUNCTION notify_rights_change('id');--> statement-breakpoint
CREATE TRIGGER user_campaigns_rights AFTER INSERT OR DELETE ON user_campaigns
  FOR EACH ROW EXECUTE FUNCTION notify_rights_change('user_id');--> statement-breakpoint
CREATE TRIGGER sessions_rights AFTER DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION notify_rights_change('user_id');--> statement-breakpoint
CREATE TRIGGER campaigns_rights AFTER UPDATE OF client_id ON campaigns
  FOR EACH ROW WHEN (OLD.client_id IS DISTINCT FROM NEW.client_id)
  EXECUTE FUNCTION notify_rights_change('nobody');--> statement-breakpoint
-- What a key has open ends when it is revoked.
CREATE TRIGGER api_keys_rights AFTER DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION notify_rights_change('user_id');--> statement-breakpoint
-- True within a transaction that has recorded an erasure and says that it is carrying it out.
CREATE FUNCTION "is_erasing_a_person"() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM erasures WHERE id = nullif(current_setting('leadline.erasure', true), '')::int AND xmin = pg_current_xact_id()::xid)
$$;--> statement-breakpoint
-- Values may be erased with a person, and entries removed that are past their retention: a year old at least. Nothing else.
CREATE FUNCTION "audit_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - ARRAY['before', 'after'] = to_jsonb(OLD) - ARRAY['before', 'after'] AND is_erasing_a_person() THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND current_setting('leadline.retention', true) = 'audit' AND OLD.at < now() - interval '365 days' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the audit trail is append-only';
END $$;--> statement-breakpoint
CREATE TRIGGER "audit_append_only" BEFORE UPDATE OR DELETE ON "audit" FOR EACH ROW EXECUTE FUNCTION "audit_is_append_only"();--> statement-breakpoint
CREATE TRIGGER "audit_no_truncate" BEFORE TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION "audit_is_append_only"();--> statement-breakpoint
CREATE FUNCTION "happenings_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - ARRAY['before', 'after'] = to_jsonb(OLD) - ARRAY['before', 'after'] AND is_erasing_a_person() THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'happenings are append-only';
END $$;--> statement-breakpoint
CREATE TRIGGER "happenings_append_only" BEFORE UPDATE OR DELETE ON "happenings" FOR EACH ROW EXECUTE FUNCTION "happenings_are_append_only"();--> statement-breakpoint
CREATE TRIGGER "happenings_no_truncate" BEFORE TRUNCATE ON "happenings" FOR EACH STATEMENT EXECUTE FUNCTION "happenings_are_append_only"();--> statement-breakpoint
-- A JSON value without what matches the pattern. A number that matches becomes text.
CREATE FUNCTION "erase_mentions"(value jsonb, pattern text, tombstone text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE jsonb_typeof(value)
    WHEN 'string' THEN RETURN to_jsonb(regexp_replace(value #>> '{}', pattern, tombstone, 'gi'));
    WHEN 'number' THEN RETURN CASE WHEN (value #>> '{}') ~* pattern THEN to_jsonb(tombstone) ELSE value END;
    WHEN 'array' THEN RETURN (
      SELECT coalesce(jsonb_agg(erase_mentions(item, pattern, tombstone) ORDER BY place), '[]')
      FROM jsonb_array_elements(value) WITH ORDINALITY items (item, place));
    WHEN 'object' THEN RETURN (
      SELECT coalesce(jsonb_object_agg(regexp_replace(name, pattern, tombstone, 'gi'), erase_mentions(item, pattern, tombstone)), '{}')
      FROM jsonb_each(value) items (name, item));
    ELSE RETURN value;
  END CASE;
END $$;--> statement-breakpoint
-- A JSON object whose named fields have lost their values.
CREATE FUNCTION "erase_fields"(value jsonb, names text[], tombstone text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(value) = 'object' THEN (
    SELECT coalesce(jsonb_object_agg(name, CASE WHEN name = ANY (names) AND item <> 'null' THEN to_jsonb(tombstone) ELSE item END), '{}')
    FROM jsonb_each(value) items (name, item)) ELSE value END
$$;--> statement-breakpoint
-- The newest leads of each client site that is looked at, through each provider: one look into an index for each, one after the
-- other, because a query that asks again for each row of a table that every machine has cannot be spread over machines.
CREATE FUNCTION "newest_leads"(providers text[], most int) RETURNS TABLE (clientsite_id int, provider text, first timestamptz, last timestamptz, count int) LANGUAGE plpgsql STABLE AS $$
DECLARE
  site record;
BEGIN
  FOR site IN
    SELECT s.id, known.provider FROM client_sites s JOIN campaigns c ON c.id = s.campaign_id CROSS JOIN unnest(providers) known (provider)
    WHERE s.deleted_at IS NULL AND NOT c.archived
  LOOP
    RETURN QUERY SELECT site.id, site.provider, min(newest.at), max(newest.at), count(*)::int FROM (
      SELECT l.occurred_at AS at FROM leads l
      WHERE l.clientsite_id = site.id AND l.lead_s = site.provider AND l.occurred_at <= now()
      ORDER BY l.occurred_at DESC LIMIT most
    ) newest HAVING count(*) > 0;
  END LOOP;
END $$;--> statement-breakpoint
-- The store records its changes itself. This is for other writers of leads, such as a person in psql. Where leads are spread over
-- machines there is no such writer, and no trigger.
CREATE FUNCTION "record_lead_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('leadline.records_lead_changes', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO lead_changes (campaign_id, occurred_at, archived, facets, missed, number, client_value, client_profit)
    SELECT campaign_id, occurred_at, archived, facets, NOT confirmed AND tags && array['Missed Call', 'Auto Missed Call'],
      1, client_value, client_profit FROM added;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO lead_changes (campaign_id, occurred_at, archived, facets, missed, number, client_value, client_profit)
    SELECT campaign_id, occurred_at, archived, facets, NOT confirmed AND tags && array['Missed Call', 'Auto Missed Call'],
      -1, -client_value, -client_profit FROM taken;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "leads_added_elsewhere" AFTER INSERT ON "leads" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION record_lead_changes();--> statement-breakpoint
CREATE TRIGGER "leads_changed_elsewhere" AFTER UPDATE ON "leads" REFERENCING NEW TABLE AS added OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION record_lead_changes();--> statement-breakpoint
CREATE TRIGGER "leads_taken_elsewhere" AFTER DELETE ON "leads" REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION record_lead_changes();--> statement-breakpoint
-- Processes keep sums in memory until they change, and see that by the row version of "lead_sums_zone". As a trigger it also counts for
-- other writers, such as a person in psql.
CREATE FUNCTION "mark_sums_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE lead_sums_zone SET zone = zone;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "lead_sums_changed" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "lead_sums" FOR EACH STATEMENT EXECUTE FUNCTION mark_sums_changed();
