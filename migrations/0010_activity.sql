CREATE TABLE "activity_item_files" (
	"item_id" integer NOT NULL,
	"file_id" integer NOT NULL,
	"position" smallint NOT NULL,
	CONSTRAINT "activity_item_files_item_id_file_id_pk" PRIMARY KEY("item_id","file_id")
);
--> statement-breakpoint
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
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "activity_items_of_one" CHECK (num_nonnulls("activity_items"."campaign_id", "activity_items"."team_id") = 1),
	CONSTRAINT "activity_items_task" CHECK ("activity_items"."is_task" = ("activity_items"."assignee_id" is not null)),
	CONSTRAINT "activity_items_done" CHECK ("activity_items"."is_task" or not "activity_items"."is_done")
);
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "activity_item_files" ADD CONSTRAINT "activity_item_files_item_id_activity_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."activity_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_item_files" ADD CONSTRAINT "activity_item_files_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_items" ADD CONSTRAINT "activity_items_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_items" ADD CONSTRAINT "activity_items_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_items" ADD CONSTRAINT "activity_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_items" ADD CONSTRAINT "activity_items_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_item_files_file" ON "activity_item_files" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "activity_items_date" ON "activity_items" USING btree ("date","id") WHERE "activity_items"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "activity_items_campaign" ON "activity_items" USING btree ("campaign_id","date") WHERE "activity_items"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "activity_items_team" ON "activity_items" USING btree ("team_id","date") WHERE "activity_items"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "activity_items_assignee" ON "activity_items" USING btree ("assignee_id","date") WHERE "activity_items"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "files_created" ON "files" USING btree ("created_at");