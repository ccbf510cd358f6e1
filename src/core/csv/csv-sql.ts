import { type SQL, sql } from 'drizzle-orm'
import {
  americanPhonePattern,
  countryCodePattern,
  formulaStarts,
  groupEndPattern,
  phoneDigitsPattern,
  plainNumberPattern,
  writtenPhonePattern,
} from './csv.ts'

const codes = formulaStarts.map((start) => start.charCodeAt(0))
const startCodes = sql.raw(codes.join(', '))
/** Most texts start with a character between these. */
const [asciiCodes, wideCodes] = [codes.filter((code) => code < 128), codes.filter((code) => code >= 128)]
const [firstHarmless, lastHarmless] = [Math.max(...asciiCodes) + 1, Math.min(...wideCodes) - 1].map((code) =>
  sql.raw(String(code)),
)
const [plainNumber, writtenPhone, americanPhone, phoneDigits, countryCode, groupEnds] = [
  plainNumberPattern,
  writtenPhonePattern,
  americanPhonePattern,
  phoneDigitsPattern,
  countryCodePattern,
  groupEndPattern,
].map((pattern) => sql.raw(`'${pattern}'`)) as [SQL, SQL, SQL, SQL, SQL, SQL] // one for each
const [firstGroup, americanGroups] = [sql.raw(String.raw`'\1 '`), sql.raw(String.raw`'(\2) \3-\4\5'`)]

/** Formats a phone like `formatCsvPhone`; any other text as `csvTextSql` does. Most phones are stored as +1 and ten digits, which takes no capture. */
export const csvPhoneSql = (text: SQL): SQL => sql`case
  when length(${text}) = 12 and ${text} ~ '^[+]1[2-9][0-9]*$'
    then '(' || substr(${text}, 3, 3) || ') ' || substr(${text}, 6, 3) || '-' || substr(${text}, 9)
  when ${text} ~ ${americanPhone} then regexp_replace(${text}, ${americanPhone}, ${americanGroups})
  when ${text} ~ ${phoneDigits} then regexp_replace(${text}, ${groupEnds}, ${firstGroup}, 'g')
  else ${csvTextSql(text)} end`

const internationalPhone = (text: SQL) =>
  sql`'+' || regexp_replace(regexp_replace(regexp_replace(${text}, '[^0-9]', '', 'g'), ${countryCode}, ${firstGroup}), ${groupEnds}, ${firstGroup}, 'g')`

/**
 * Escapes text for a CSV cell that PostgreSQL writes, like `formatCsvLines`; null for empty text, for which PostgreSQL would write
 * `""`. Runs for millions of cells: the common cases come first, with cheap comparisons and a pattern without counted repetition.
 */
export const csvTextSql = (text: SQL): SQL => sql`case
  when (ascii(${text}) between ${firstHarmless} and ${lastHarmless}) is not false then ${text}
  when ascii(${text}) between 48 and 57 then ${text}
  when ${text} = '' then null
  when ascii(${text}) not in (${startCodes}) then ${text}
  when ${text} ~ ${writtenPhone} then case when ${text} ~ ${americanPhone}
    then regexp_replace(${text}, ${americanPhone}, ${americanGroups}) else ${internationalPhone(text)} end
  when ${text} ~ ${plainNumber} then ${text}
  else '''' || ${text} end`
