-- Only the line of translate is new: what NFKC makes of a double prime are apostrophes too.
CREATE OR REPLACE FUNCTION "fold_letters"(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE base text := regexp_replace(
  normalize(lower(normalize(
    regexp_replace(value, '[\u1ffd\u00b4\u02b9\u02ba\u02bb\u02bc\u02bd\u02c8\u0374\u055a\u05f3\u2018\u2019\u201a\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40]', '''', 'g'),
  NFKC)), NFD),
  '[\u00ad\u0300-\u036f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+', '', 'g');
BEGIN
  base := translate(base, E'`\u02bc\u2032\u2035', '''''''''');
  IF octet_length(base) = char_length(base) THEN RETURN base; END IF;
  RETURN normalize(
    replace(replace(replace(replace(translate(base,
      E'\u00f8\u0142\u0111\u00f0\u0127\u0167\u0131\u0237\u014b\u0138\u0180\u0253\u0183\u0188\u023c\u0256\u0257\u018c\u0247\u0259\u0192\u0260\u01e5\u0268\u0269\u0249\u0199\u019a\u026b\u0272\u019e\u0275\u01a5\u024d\u0282\u01ad\u0288\u0289\u028b\u01b4\u024f\u01b6\u0225\u03c2\u201c\u201d\u201e\u201f\u00ab\u00bb\u058a\u05be\u1400\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\U00010ead\U00010d6e\ufe31\ufe32\ufe58\ufe63\uff0d',
      'olddhtijnkbbbccdddeefggiijkllnnoprsttuvyyzzσ""""""----------------------------'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
  NFC);
END $$;--> statement-breakpoint
-- What a search compares of a text; foldSearch of src/contract/fold-text.ts says why. These two have bodies that are parsed now: an index
-- is built and analyzed without a search path.
CREATE OR REPLACE FUNCTION "fold_text"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(value) = char_length(value) THEN replace(lower(value), '`', '''') ELSE fold_letters(value) END;--> statement-breakpoint
CREATE FUNCTION "fold_search"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(fold_text(value), '''', '');--> statement-breakpoint
CREATE OR REPLACE FUNCTION "lead_search_text"(lead_name text, lead_email text, lead_phone text, phone_key text, message text, lead_location text, company_name text, notes text, client_notes text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT fold_search(coalesce(lead_name, '') || chr(10) || coalesce(lead_email, '') || chr(10)
    || regexp_replace(coalesce(lead_phone, ''), '[^0-9]', '', 'g') || chr(10) || coalesce(message, '') || chr(10)
    || coalesce(lead_location, '') || chr(10) || coalesce(company_name, '') || chr(10)
    || coalesce(notes, '') || chr(10) || coalesce(client_notes, '')
    || CASE WHEN lead_phone ~ '[[:alpha:]]' THEN chr(10) || lead_phone || chr(10) || coalesce(phone_key, '') ELSE '' END)
$$;--> statement-breakpoint
-- A job brings old leads to the new form, some hundreds at a time.
UPDATE "lead_cleaning" SET last_id = 0, is_done = NOT EXISTS (SELECT FROM leads);--> statement-breakpoint
DROP INDEX "outgoing_links_search";--> statement-breakpoint
ALTER TABLE "google_locations" drop column "searchable";--> statement-breakpoint
ALTER TABLE "google_locations" ADD COLUMN "searchable" text GENERATED ALWAYS AS (fold_search(title || ' ' || coalesce(store_code, '') || ' ' || coalesce(address, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(website, '')
        || ' ' || coalesce(description, '') || ' ' || coalesce(service_area, '') || ' ' || category_names)) STORED;--> statement-breakpoint
CREATE INDEX "google_locations_searchable" ON "google_locations" USING gin ("searchable" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "outgoing_links_search" ON "outgoing_links" USING gin (fold_search(url || ' ' || coalesce(anchor, '')) gin_trgm_ops);