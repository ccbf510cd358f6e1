CREATE TABLE "blacklist_keywords" (
	"id" integer PRIMARY KEY DEFAULT nextval('spammers_id_seq') NOT NULL,
	"keyword" text NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now(),
	"created_by" integer
);
--> statement-breakpoint
CREATE TABLE "rule_hits" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rule_hits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"rule_id" integer NOT NULL,
	"lead_id" integer NOT NULL,
	"hit_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "blacklist" ADD COLUMN "lists_changed_keywords" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "spammers" ADD COLUMN "created_by" integer;--> statement-breakpoint
ALTER TABLE "blacklist_keywords" ADD CONSTRAINT "blacklist_keywords_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rule_hits_rule" ON "rule_hits" USING btree ("rule_id","hit_at");--> statement-breakpoint
ALTER TABLE "spammers" ADD CONSTRAINT "spammers_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Each line of the blacklist becomes a row; who wrote it, and when, was not kept.
INSERT INTO "blacklist_keywords" ("keyword", "position", "created_at")
SELECT keyword, row_number() OVER (ORDER BY line), NULL FROM (
  SELECT DISTINCT ON (lower(keyword)) keyword, line FROM (
    SELECT btrim(text, E' \t\r') AS keyword, line FROM "blacklist", regexp_split_to_table("keywords", E'\r\n|\r|\n') WITH ORDINALITY AS lines (text, line)
  ) trimmed WHERE keyword <> '' ORDER BY lower(keyword), line
) kept ORDER BY line;--> statement-breakpoint
UPDATE "blacklist" SET "lists_changed_keywords" = "keywords" <> '';--> statement-breakpoint
INSERT INTO "rule_hits" ("rule_id", "lead_id", "hit_at")
SELECT rule.id, lead.id, lead.created_at FROM "leads" lead, jsonb_to_recordset(lead.tag_causes) AS cause (tag text, because text),
  (SELECT id, 'keyword ''' || keyword || '''' AS because FROM "blacklist_keywords" UNION ALL SELECT id, 'spammer ' || name FROM "spammers") rule
WHERE lead.tags && '{BLSpam,Autospam}' AND lead.tags <> '{}' AND rule.because = cause.because;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "spam_mark" jsonb;
