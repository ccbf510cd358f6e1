ALTER TABLE "disputes" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "rating_saves" ADD COLUMN "reason" text;