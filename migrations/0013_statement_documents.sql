CREATE TABLE "statement_keys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statement_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"campaign_id" integer NOT NULL,
	"from_day" date NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"key_encrypted" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "statement_keys_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
ALTER TABLE "agency" ADD COLUMN "address_lines" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "agency" ADD COLUMN "terms_days" integer DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE "agency" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD COLUMN "lead_name" text;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD COLUMN "lead_type" text;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD COLUMN "lead_day" date;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "month" text;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "ordinal" integer;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "client_id" integer;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "client_name" text;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "campaign_name" text;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "agency_name" text;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "address_lines" text[];--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "due_on" date;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "mailed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "mailed_to" text[];--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "opened_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "paid_on" date;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "paid_note" text;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "billing_emails" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "client_reports" ADD COLUMN "opened_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "statement_keys" ADD CONSTRAINT "statement_keys_statement" FOREIGN KEY ("campaign_id","from_day") REFERENCES "public"."statements"("campaign_id","from_day") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "statement_keys_one_open" ON "statement_keys" USING btree ("campaign_id","from_day") WHERE closed_at is null;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "statement_lines_named" ON "statement_lines" USING btree ("lead_id") WHERE lead_name is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "statements_number" ON "statements" USING btree ("month","ordinal");--> statement-breakpoint
CREATE INDEX "statements_unnumbered" ON "statements" USING btree ("sent_at") WHERE ordinal is null;--> statement-breakpoint
CREATE INDEX "statements_client" ON "statements" USING btree ("client_id","sent_at");--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_numbered" CHECK (("statements"."month" is null) = ("statements"."ordinal" is null));--> statement-breakpoint
-- A tab that was opened before does not know the billing emails: its save ends in a conflict.
UPDATE "clients" SET "version" = "version" + 1;
