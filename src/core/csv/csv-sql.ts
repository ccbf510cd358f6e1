import { type SQL, sql } from 'drizzle-orm'
import { formulaStarts, plainNumberPattern, writtenPhonePattern } from './csv.ts'

const codes = formulaStarts.map((start) => start.charCodeAt(0))
const startCodes = sql.raw(codes.join(', '))
/** Most texts start with a character between these. */
const [asciiCodes, wideCodes] = [codes.filter((code) => code < 128), codes.filter((code) => code >= 128)]
const [firstHarmless, lastHarmless] = [Math.max(...asciiCodes) + 1, Math.min(...wideCodes) - 1].map((code) =>
  sql.raw(String(code)),
)
const plainNumber = sql.raw(`'${plainNumberPattern}'`)
const writtenPhone = sql.raw(`'${writtenPhonePattern}'`)

/**
 * Escapes text for a CSV cell that PostgreSQL writes, like `formatCsvLines`; null for empty text, for which PostgreSQL would write
 * `""`. Runs for millions of cells: the common cases come first, with cheap comparisons and a pattern without counted repetition.
 */
export const csvTextSql = (text: SQL): SQL => sql`case
  when (ascii(${text}) between ${firstHarmless} and ${lastHarmless}) is not false then ${text}
  when ascii(${text}) between 48 and 57 then ${text}
  when octet_length(${text}) between 8 and 16 and ${text} ~ '^[+][0-9]+$' then ${text}
  when ${text} = '' then null
  when ascii(${text}) not in (${startCodes}) then ${text}
  when ${text} ~ ${writtenPhone} then '+' || regexp_replace(${text}, '[^0-9]', '', 'g')
  when ${text} ~ ${plainNumber} then ${text}
  else '''' || ${text} end`
