CREATE TABLE "offline_spells" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "offline_spells_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"began_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "client_sites" ADD COLUMN "unreached" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "network_sites" ADD COLUMN "unreached" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "offline_spells_open" ON "offline_spells" USING btree ((true)) WHERE "offline_spells"."ended_at" is null;