CREATE TABLE "happenings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "happenings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" integer NOT NULL,
	"campaign_id" integer,
	"before" jsonb,
	"after" jsonb
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "signal_notices" (
	"signal_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"stage" integer NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "signal_notices_signal_id_user_id_stage_pk" PRIMARY KEY("signal_id","user_id","stage")
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "task_notices" (
	"item_id" integer NOT NULL,
	"assignee_id" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "task_notices_item_id_assignee_id_pk" PRIMARY KEY("item_id","assignee_id")
);
--> statement-breakpoint
CREATE TABLE "user_watches" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"watches" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"webhook_url" "bytea",
	"webhook_problem" text,
	"digest_day" date,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "client_sites" ADD COLUMN "domain" text;--> statement-breakpoint
ALTER TABLE "registrations" ADD COLUMN "id" integer NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "registrations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
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
CREATE INDEX "happenings_subject" ON "happenings" USING btree ("subject_type","subject_id","id");--> statement-breakpoint
CREATE INDEX "happenings_campaign" ON "happenings" USING btree ("campaign_id","at","id");--> statement-breakpoint
CREATE INDEX "happenings_at" ON "happenings" USING btree ("at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "signals_open" ON "signals" USING btree ("detected_kind","subject_type","subject_id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "signals_open_campaign" ON "signals" USING btree ("campaign_id","id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "signals_closed" ON "signals" USING btree ("closed_at","id") WHERE closed_at is not null;--> statement-breakpoint
CREATE INDEX "signals_closed_campaign" ON "signals" USING btree ("campaign_id","closed_at") WHERE closed_at is not null;--> statement-breakpoint
CREATE INDEX "signals_subject" ON "signals" USING btree ("subject_type","subject_id","id");--> statement-breakpoint
CREATE INDEX "signals_claimed" ON "signals" USING btree ("claimed_by") WHERE claimed_by is not null;--> statement-breakpoint
CREATE INDEX "signals_parent" ON "signals" USING btree ("parent_id") WHERE parent_id is not null;--> statement-breakpoint
CREATE INDEX "signals_task" ON "signals" USING btree ("task_id") WHERE task_id is not null;--> statement-breakpoint
CREATE INDEX "activity_items_open_tasks" ON "activity_items" USING btree ("date") WHERE "activity_items"."is_task" and not "activity_items"."is_done" and "activity_items"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "mails_refused" ON "mails" USING btree ("id") WHERE state = 'refused';--> statement-breakpoint
CREATE INDEX "client_sites_domain" ON "client_sites" USING btree ("domain") WHERE deleted_at is null;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_id_unique" UNIQUE("id");
--> statement-breakpoint
-- Tasks of before are no news.
INSERT INTO "task_notices" ("item_id", "assignee_id") SELECT "id", "assignee_id" FROM "activity_items" WHERE "is_task";
--> statement-breakpoint
CREATE FUNCTION "happenings_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'happenings are append-only'; END $$;
--> statement-breakpoint
CREATE TRIGGER "happenings_append_only" BEFORE UPDATE OR DELETE ON "happenings" FOR EACH ROW EXECUTE FUNCTION "happenings_are_append_only"();
--> statement-breakpoint
CREATE TRIGGER "happenings_no_truncate" BEFORE TRUNCATE ON "happenings" FOR EACH STATEMENT EXECUTE FUNCTION "happenings_are_append_only"();
