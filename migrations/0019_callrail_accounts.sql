CREATE TABLE "callrail_accounts" (
	"account_id" text PRIMARY KEY NOT NULL,
	"connected_at" timestamp (3) with time zone NOT NULL,
	"next_look_at" timestamp (3) with time zone NOT NULL,
	"calls_until" timestamp (3) with time zone,
	"forms_until" timestamp (3) with time zone,
	"texts_until" timestamp (3) with time zone,
	"unfinished_from" timestamp (3) with time zone,
	"companies_read_at" timestamp (3) with time zone,
	"waits" integer DEFAULT 0 NOT NULL,
	"waits_until" timestamp (3) with time zone,
	"looked_at" timestamp (3) with time zone,
	"outcome" text,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "callrail_companies" (
	"company_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text,
	"is_active" boolean NOT NULL,
	"number" text,
	"hooked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "callrail_histories" (
	"connection_id" integer PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"state" text NOT NULL,
	"says" text,
	"oldest" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"read" integer DEFAULT 0 NOT NULL,
	"of" integer,
	"made" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "callrail_history_leads" (
	"lead_id" integer PRIMARY KEY NOT NULL,
	"connection_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "callrail_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "callrail_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"purpose" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "inbound_events" ADD COLUMN "polled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "callrail_companies_account" ON "callrail_companies" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "callrail_companies_number" ON "callrail_companies" USING btree ("number");--> statement-breakpoint
CREATE INDEX "callrail_history_leads_connection" ON "callrail_history_leads" USING btree ("connection_id","lead_id");--> statement-breakpoint
CREATE INDEX "callrail_requests_account" ON "callrail_requests" USING btree ("account_id","purpose","at");