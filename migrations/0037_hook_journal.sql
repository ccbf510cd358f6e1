CREATE TABLE "replayed_journals" (
	"name" text PRIMARY KEY NOT NULL,
	"replayed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
