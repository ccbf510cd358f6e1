CREATE TABLE "put_off_steps" (
	"key" text PRIMARY KEY NOT NULL,
	"put_off_by" integer,
	"put_off_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "put_off_steps" ADD CONSTRAINT "put_off_steps_put_off_by_users_id_fk" FOREIGN KEY ("put_off_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- An agency that is in use needs no first steps.
INSERT INTO "put_off_steps" ("key")
SELECT unnest(ARRAY['agency', 'email', 'callrail', 'google', 'data', 'first_client'])
WHERE EXISTS (SELECT FROM "campaigns");
