CREATE TABLE "import_refused" (
	"import_id" integer PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "leads" DROP CONSTRAINT "leads_lead_s";--> statement-breakpoint
ALTER TABLE "import_problems" ADD COLUMN "value" text;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "values" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "import_refused" ADD CONSTRAINT "import_refused_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_lead_s" CHECK ("leads"."lead_s" in ('Callrail', 'Formidable', 'Other'));
--> statement-breakpoint
CREATE TABLE "custom_sources" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "custom_sources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"clientsite_id" integer NOT NULL,
	"preset" text,
	"mapping" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"key" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "inbound_events" ADD COLUMN "source_id" integer;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "origin" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "custom_sources" ADD CONSTRAINT "custom_sources_clientsite_id_client_sites_id_fk" FOREIGN KEY ("clientsite_id") REFERENCES "public"."client_sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "custom_sources_key" ON "custom_sources" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "custom_sources_site" ON "custom_sources" USING btree ("clientsite_id");--> statement-breakpoint
ALTER TABLE "inbound_events" ADD CONSTRAINT "inbound_events_source_id_custom_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."custom_sources"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "inbound_events_source" ON "inbound_events" USING btree ("source_id","id") WHERE source_id is not null;--> statement-breakpoint
-- Where leads are spread by campaign (ops/citus.sql), the campaign is in every unique index.
DO $$ BEGIN
  IF (SELECT indnkeyatts FROM pg_index WHERE indexrelid = 'leads_provider'::regclass) = 3 THEN
    DROP INDEX leads_provider;
    CREATE UNIQUE INDEX leads_provider ON leads (lead_s, lead_id, origin, campaign_id);
  ELSE
    DROP INDEX leads_provider;
    CREATE UNIQUE INDEX leads_provider ON leads (lead_s, lead_id, origin);
  END IF;
END $$;
--> statement-breakpoint
-- A lead without an origin is told apart by its client site. One that was given to another site since is told apart by the site
-- that proved its first event.
UPDATE "leads" SET "origin" = 'site/' || first_event.clientsite_id FROM (
  SELECT DISTINCT ON (lead_id) lead_id, clientsite_id FROM "inbound_events" WHERE lead_id IS NOT NULL ORDER BY lead_id, id
) first_event
WHERE first_event.lead_id = "leads".id AND first_event.clientsite_id <> "leads".clientsite_id;
