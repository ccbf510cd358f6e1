/** What spreadsheets, databases and programs write where there is no value, also for each part of a name: `undefined undefined`. */
const emptyWords =
  /^(\[object object\]|null|\(null\)|\[null\]|<null>|\\n|undefined|n\/a|#(?:n\/a|ref!|value!|name\?|div\/0!|null!|num!|error!|spill!|calc!|field!|blocked!|connect!|busy!|unknown!|getting_data)|-{1,3}|[\u2013\u2014])(?:\s+\1)*$/i

/** A name that a form builder should have replaced: `{{name}}`, `[your-name]`, `[field id="email"]`, `%name%`, `*|FNAME|*`, `<%= name %>`, `{Name (First):1.3}`. */
const placeholders =
  /\{\{\{?[^{}]*\}\}\}?|\$?\{[a-z][\w.:]*(?:="[^"]*")?\}|\[[a-z][\w:.-]*(?: [\w-]+="[^"]*")*\]|%[a-z][\w.:-]*%|%%[a-z][\w.:-]*%%|\*\|[\w:.-]+\|\*|<%[^<>]*%>|\{[^{}:]*:\d{1,4}(?:\.\d{1,2})?(?::[^{}]*)?\}/gi

/** What is no part of a name: a template that was not filled in, and what a script writes for a variable without a value. */
const unfilledParts =
  /\{\{\{?[^{}]*\}\}\}?|\*\|[\w:.-]+\|\*|<%[^<>]*%>|(?<![\p{L}\p{M}\p{N}'’-])undefined(?![\p{L}\p{M}\p{N}'’-])/gu

/** Returns a name without the parts that its sender has not filled in: `Joan undefined`, `Joan {{last_name}}`. */
export const dropUnfilledParts = (name: string): string => name.replace(unfilledParts, ' ').replace(/\s+/g, ' ').trim()

/** Returns whether a text is a word for no value, such as `NULL`, `#N/A` or dashes alone. */
export const isEmptyWord = (text: string): boolean => emptyWords.test(text.trim())

/** Returns whether a value that a program sent is none: a word for it, or a template that was not filled in. */
export const isUnfilled = (text: string): boolean => isEmptyWord(text) || isTemplate(text)

/** Each is taken out once: a pattern of the whole text could split it in ever more ways, and would try them all. */
function isTemplate(text: string): boolean {
  const rest = text.replace(placeholders, '')
  return rest !== text && /^[\s,;/-]*$/.test(rest)
}
