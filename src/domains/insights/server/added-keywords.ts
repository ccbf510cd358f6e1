import { type SQL, sql } from 'drizzle-orm'

/** The keywords that an audit entry of the blacklist added: it holds the whole list, a keyword a line, before and after. */
export const addedKeywordsSql = (entry: SQL) => sql`(
  select keyword from string_to_table(${entry}.after ->> 'keywords', chr(10)) keyword where keyword <> ''
  except select keyword from string_to_table(${entry}.before ->> 'keywords', chr(10)) keyword)`
