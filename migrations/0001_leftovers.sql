-- Removes what only versions before 0.1.0 used. A database that was created by 0.1.0 has none of it.
DROP TABLE IF EXISTS counted_weeks, counted_changes, week_starts, week_zone;--> statement-breakpoint
DROP FUNCTION IF EXISTS count_weeks(), week_of(timestamptz), is_counted(int, boolean, boolean, text[]);--> statement-breakpoint
-- With their triggers, which filled in a lead's campaign for a version that did not know it.
DROP FUNCTION IF EXISTS lives_nowhere(), lives_with_its_lead() CASCADE;--> statement-breakpoint
ALTER TABLE blacklist DROP COLUMN IF EXISTS keywords, DROP COLUMN IF EXISTS lists_changed_keywords;
