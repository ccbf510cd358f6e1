CREATE TABLE "connections" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "connections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"source" text DEFAULT 'screen' NOT NULL,
	"name" text,
	"account_id" text,
	"account_name" text,
	"address" text,
	"secret" "bytea",
	"state" text DEFAULT 'untested' NOT NULL,
	"says" text,
	"tested_at" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone,
	"refused_since" timestamp (3) with time zone,
	"lost_since" timestamp (3) with time zone,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_once" ON "connections" USING btree ("source","kind",(case kind when 'callrail' then account_id when 'legacy' then address else '' end)) WHERE deleted_at is null;