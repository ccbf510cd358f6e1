CREATE TABLE "lead_earlier_changers" (
	"lead_id" integer PRIMARY KEY NOT NULL,
	"usernames" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "move_items" (
	"move_id" integer NOT NULL,
	"key" text NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"connection_id" integer NOT NULL,
	"old_id" text NOT NULL,
	"label" text NOT NULL,
	"payload" jsonb,
	"becomes" text DEFAULT 'new' NOT NULL,
	"to_kind" text,
	"to_id" integer,
	"to_label" text,
	"by" text,
	"reason" text,
	"options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"choice" text,
	"state" text DEFAULT 'open' NOT NULL,
	"row_id" integer,
	"replaced" jsonb,
	"kept" text,
	CONSTRAINT "move_items_move_id_key_pk" PRIMARY KEY("move_id","key")
);
--> statement-breakpoint
CREATE TABLE "moved_ids" (
	"source" text NOT NULL,
	"kind" text NOT NULL,
	"old_id" text NOT NULL,
	"row_id" integer NOT NULL,
	"move_id" integer NOT NULL,
	CONSTRAINT "moved_ids_source_kind_old_id_pk" PRIMARY KEY("source","kind","old_id")
);
--> statement-breakpoint
CREATE TABLE "moves" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "moves_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"state" text DEFAULT 'reading' NOT NULL,
	"problem" text,
	"sources" jsonb NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer,
	"lacks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"counted" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"months" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"differences" jsonb,
	"compared_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"done_at" timestamp (3) with time zone,
	"undone_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "activity_items" DROP CONSTRAINT "activity_items_task";--> statement-breakpoint
ALTER TABLE "activity_items" ADD COLUMN "author_name" text;--> statement-breakpoint
ALTER TABLE "activity_items" ADD COLUMN "assignee_name" text;--> statement-breakpoint
ALTER TABLE "move_items" ADD CONSTRAINT "move_items_move_id_moves_id_fk" FOREIGN KEY ("move_id") REFERENCES "public"."moves"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "moved_ids" ADD CONSTRAINT "moved_ids_move_id_moves_id_fk" FOREIGN KEY ("move_id") REFERENCES "public"."moves"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "moves" ADD CONSTRAINT "moves_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "move_items_position" ON "move_items" USING btree ("move_id","position");--> statement-breakpoint
CREATE INDEX "move_items_open" ON "move_items" USING btree ("move_id","state","position");--> statement-breakpoint
CREATE INDEX "move_items_row" ON "move_items" USING btree ("kind","row_id");--> statement-breakpoint
CREATE INDEX "moved_ids_row" ON "moved_ids" USING btree ("kind","row_id");--> statement-breakpoint
CREATE INDEX "moved_ids_move" ON "moved_ids" USING btree ("move_id");--> statement-breakpoint
CREATE INDEX "moves_created" ON "moves" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "moves_user" ON "moves" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "activity_items" ADD CONSTRAINT "activity_items_task" CHECK (case when "activity_items"."is_task" then num_nonnulls("activity_items"."assignee_id", "activity_items"."assignee_name") > 0 else "activity_items"."assignee_id" is null end);