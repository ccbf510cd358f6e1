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
);
--> statement-breakpoint
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
);
--> statement-breakpoint
ALTER TABLE "lead_batch_rows" ADD CONSTRAINT "lead_batch_rows_batch_id_lead_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."lead_batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_batches" ADD CONSTRAINT "lead_batches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lead_batch_rows_lead" ON "lead_batch_rows" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "lead_batches_user" ON "lead_batches" USING btree ("user_id");