import { type SQL, sql } from 'drizzle-orm'

/**
 * Selects the keywords that an audit entry of the blacklist added. The entry holds the whole list before and after, one
 * keyword per line.
 */
export const addedKeywordsSql = (entry: SQL) => sql`(
  select keyword from string_to_table(${entry}.after ->> 'keywords', chr(10)) keyword where keyword <> ''
  except select keyword from string_to_table(${entry}.before ->> 'keywords', chr(10)) keyword)`
