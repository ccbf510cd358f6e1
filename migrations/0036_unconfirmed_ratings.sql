ALTER TABLE "leads" ADD COLUMN "unconfirmed_rating" smallint;--> statement-breakpoint
ALTER TABLE "rating_saves" ADD COLUMN "unconfirmed_before" smallint;