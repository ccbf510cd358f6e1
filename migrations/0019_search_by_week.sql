-- A search of a common word read that word's leads of all years, also when a month was asked for. With the week in the same index
-- only that month's part of each word's list is read. src/domains/leads/search-weeks.ts spells the week the same way.
DROP INDEX "leads_search";--> statement-breakpoint
CREATE INDEX "leads_search" ON "leads" USING gin ((array[floor(extract(epoch from occurred_at at time zone 'UTC') / 604800)::int]), "search_text" gin_trgm_ops);
