CREATE TABLE "agency" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"logo" text,
	CONSTRAINT "agency_single" CHECK ("agency"."id" = 1)
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "report_schedules" (
	"client_id" integer PRIMARY KEY NOT NULL,
	"every" text,
	"day" smallint NOT NULL,
	"hour" smallint NOT NULL,
	"skip_empty" boolean DEFAULT false NOT NULL,
	"set_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "report_schedules_day" CHECK ("report_schedules"."day" between 0 and 31),
	CONSTRAINT "report_schedules_hour" CHECK ("report_schedules"."hour" between 0 and 23)
);
--> statement-breakpoint
CREATE TABLE "scheduled_reports" (
	"client_id" integer NOT NULL,
	"every" text NOT NULL,
	"from" date NOT NULL,
	"report_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "scheduled_reports_client_id_every_from_pk" PRIMARY KEY("client_id","every","from")
);
--> statement-breakpoint
ALTER TABLE "activity_items" ADD COLUMN "client_may_read" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "client_reports" ADD CONSTRAINT "client_reports_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_reports" ADD CONSTRAINT "client_reports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_reports" ADD CONSTRAINT "scheduled_reports_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_reports" ADD CONSTRAINT "scheduled_reports_report_id_client_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."client_reports"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "client_reports_client" ON "client_reports" USING btree ("client_id","created_at");
