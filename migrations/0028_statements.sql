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
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "statements" (
	"campaign_id" integer NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"terms" jsonb NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_by" integer NOT NULL,
	CONSTRAINT "statements_campaign_id_from_day_pk" PRIMARY KEY("campaign_id","from_day"),
	CONSTRAINT "statements_days" CHECK ("statements"."from_day" <= "statements"."to_day")
);
--> statement-breakpoint
CREATE TABLE "campaign_terms" (
	"campaign_id" integer PRIMARY KEY NOT NULL,
	"terms" jsonb NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_statement" FOREIGN KEY ("campaign_id","from_day") REFERENCES "public"."statements"("campaign_id","from_day") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_refers_to" FOREIGN KEY ("campaign_id","refers_to") REFERENCES "public"."statements"("campaign_id","from_day") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_sent_by_users_id_fk" FOREIGN KEY ("sent_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_terms" ADD CONSTRAINT "campaign_terms_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_one_open" ON "disputes" USING btree ("lead_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "disputes_lead" ON "disputes" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "disputes_campaign" ON "disputes" USING btree ("campaign_id","state","opened_at");--> statement-breakpoint
CREATE UNIQUE INDEX "statement_lines_once" ON "statement_lines" USING btree ("campaign_id","from_day",coalesce("lead_id", 0),coalesce("refers_to", '-infinity'::date));
